// SPDX-License-Identifier: Apache-2.0
#include "telemetry/log.h"

#include <unistd.h>

#include <cerrno>

namespace proxima::telemetry {

Log::Log(const LogOptions& options, const Clock& clock, Sink sink)
    : options_(options), clock_(clock), sink_(std::move(sink)), process_id_(::getpid()) {}

void Log::write(LogLine line, Fields fields, const Place& place) const {
  line.time = clock_.wall_now();
  line.file = place.file;
  line.line = place.line;
  line.fields = fields;
  sink_(render_line(line, options_.format, process_id_));
}

void Log::info(std::string_view message, Fields fields, Place place) const {
  write({.message = message}, fields, place);
}

void Log::detail(int verbosity, std::string_view message, Fields fields, Place place) const {
  if (!shows(verbosity)) return;
  write({.verbosity = verbosity, .message = message}, fields, place);
}

void Log::warning(std::string_view message, Fields fields, Place place) const {
  write({.severity = Severity::Warning, .message = message}, fields, place);
}

void Log::error(std::string_view message, std::string_view error, Fields fields,
                Place place) const {
  write({.severity = Severity::Error, .message = message, .error = error}, fields, place);
}

void write_to_stderr(std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace proxima::telemetry
