// SPDX-License-Identifier: Apache-2.0
// Where answers, warnings and errors go. Answers go to standard output and nothing else does, so
// that they can be piped.
#pragma once

#include <cstdio>
#include <string_view>

#include "base/result.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"

namespace proxima::cli {

class Console {
 public:
  // The streams are borrowed and stay open.
  Console(std::FILE* out, std::FILE* err, Environment environment);

  Terminal out_terminal(ColorMode mode) const;
  bool out_is_terminal() const;
  bool err_is_terminal() const;

  // As printable_output() lets it through, whatever another program or a file put into it.
  void print(std::string_view text);
  // The bytes of a file that the user wants on standard output, as they are. Not for a terminal.
  void pass_on(std::string_view bytes);
  // Prints a line of a command that goes on running, at once. When it cannot be written (a full
  // disk, a pipe without a reader), the command still goes on, and ends with its own exit code.
  void announce(std::string_view line);
  // "error: …", "warning: …", each with a line end.
  void error(std::string_view message);
  void warning(std::string_view message);
  // A line without a prefix, for what is neither.
  void remark(std::string_view message);
  // On the error stream as it is, and at once: for a progress line.
  void draw(std::string_view text);

  // What is still buffered is written. `code`, unless writing failed: quietly when the reader went
  // away, with an error otherwise.
  ExitCode finish(ExitCode code);

 private:
  void write(std::string_view text);
  void flush();
  void say(std::string_view prefix, Tone tone, std::string_view message);

  std::FILE* out_;
  std::FILE* err_;
  Environment environment_;
  int write_error_ = 0;  // the first errno that writing gave
};

// Prints the error and returns the code of a command that failed.
ExitCode report_failure(Console& console, const Error& error);

}  // namespace proxima::cli
