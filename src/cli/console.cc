// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "cli/printable_output.h"
#include "cli/text_width.h"

namespace proxima::cli {
namespace {

// Line by line, so that a message of two lines stays two lines and nothing in it steers a terminal.
std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const auto end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Console::Console(std::FILE* out, std::FILE* err, Environment environment)
    : out_(out), err_(err), environment_(std::move(environment)) {}

Terminal Console::out_terminal(ColorMode mode) const {
  return terminal_of(fileno(out_), mode, environment_);
}

bool Console::out_is_terminal() const { return isatty(fileno(out_)) == 1; }
bool Console::err_is_terminal() const { return isatty(fileno(err_)) == 1; }

void Console::print(std::string_view text) {
  if (!is_plain_output(text)) return write(printable_output(text));
  write(text);
}

void Console::pass_on(std::string_view bytes) { write(bytes); }

void Console::write(std::string_view text) {
  if (write_error_ != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) write_error_ = errno;
}

void Console::flush() {
  errno = 0;
  if (std::fflush(out_) != 0 && write_error_ == 0) write_error_ = errno;
}

void Console::announce(std::string_view line) {
  flush();
  // Past the buffer, which would keep a line that could not be written for the end of the command.
  errno = 0;
  if (dprintf(fileno(out_), "%s", printable_output(line).c_str()) >= 0 || errno == EPIPE) return;
  warning(std::string("write standard output: ") + std::strerror(errno));
}

void Console::say(std::string_view prefix, Tone tone, std::string_view message) {
  const Coloring coloring = choose_coloring(ColorMode::Auto, err_is_terminal(), environment_);
  const std::string line = paint(prefix, tone, coloring) + printable_lines(message) + "\n";
  draw(line);
}

void Console::error(std::string_view message) { say("error: ", Tone::Bad, message); }
void Console::warning(std::string_view message) { say("warning: ", Tone::Warning, message); }
void Console::remark(std::string_view message) { say("", Tone::Plain, message); }

// Nothing can be done about an error stream that does not take errors.
void Console::draw(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), err_);
  (void)std::fflush(err_);
}

ExitCode Console::finish(ExitCode code) {
  flush();
  if (write_error_ == 0) return code;
  if (write_error_ == EPIPE) return ExitCode::BrokenPipe;
  error(std::string("write standard output: ") + std::strerror(write_error_));
  return ExitCode::Failed;
}

ExitCode report_failure(Console& console, const Error& error) {
  console.error(error.message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
