// SPDX-License-Identifier: Apache-2.0
// Reads the command line. The library that does it costs seconds to compile, so it is seen by
// command_line.cc alone.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_spec.h"
#include "cli/options.h"

namespace proxima::cli {

// `arguments` without the program's name. The error names the flag or argument that is wrong, and
// where to read more. No arguments at all ask for help, as in kubectl.
Result<Command> parse_command_line(const std::vector<std::string>& arguments);

// The same definitions that parse_command_line uses.
ProgramSpec describe_program();

}  // namespace proxima::cli
