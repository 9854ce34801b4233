// SPDX-License-Identifier: Apache-2.0
// What the program tells its caller when it ends. Listed in --help and in the man page.
#pragma once

namespace proxima::cli {

enum class ExitCode : int {
  Answered = 0,      // also when objects of the dump were left out with a warning
  Failed = 1,        // a file could not be read, there is no such service, a check failed
  Usage = 2,         // a flag or an argument is wrong; nothing was read
  BrokenPipe = 141,  // the reader of the output went away: what a shell reports for SIGPIPE
};

}  // namespace proxima::cli
