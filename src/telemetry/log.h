// SPDX-License-Identifier: Apache-2.0
// The structured log: a sentence and fields, one line a call. Safe for concurrent use.
//
// Nothing secret belongs into a field or an error: no token, key, certificate or Authorization
// header. Errors of net/ and kube/ hold none.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "telemetry/log_line.h"

namespace proxima::telemetry {

struct LogOptions {
  LogFormat format = LogFormat::Text;
  int verbosity = 0;  // -v: lines up to this level are written
};

// Where a line was logged: a default argument that the caller's compiler fills in. The standard's
// own type for it is missing where clang 14 reads libstdc++.
struct Place {
  const char* file = "";
  std::uint32_t line = 0;

  static Place current(const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE()) {
    return {file, line};
  }
};

class Log {
 public:
  // Gets a whole line with its end. May be called by several threads at once.
  using Sink = std::function<void(std::string_view line)>;
  using Fields = std::initializer_list<LogField>;

  // The clock must outlive it.
  Log(const LogOptions& options, const Clock& clock, Sink sink);

  // Whether lines of that level are written: to ask before working for one.
  bool shows(int verbosity) const { return verbosity <= options_.verbosity; }

  void info(std::string_view message, Fields fields = {}, Place place = Place::current()) const;
  // Only with -v of at least `verbosity`.
  void detail(int verbosity, std::string_view message, Fields fields = {},
              Place place = Place::current()) const;
  void warning(std::string_view message, Fields fields = {}, Place place = Place::current()) const;
  // `error` says what went wrong, the message what could not be done.
  void error(std::string_view message, std::string_view error, Fields fields = {},
             Place place = Place::current()) const;

 private:
  void write(LogLine line, Fields fields, const Place& place) const;

  LogOptions options_;
  const Clock& clock_;
  Sink sink_;
  int process_id_;
};

// Standard error: each line is one write(2), so that lines of several threads and of several
// processes on one pipe do not mix. A line that cannot be written is dropped.
void write_to_stderr(std::string_view line);

}  // namespace proxima::telemetry
