// SPDX-License-Identifier: Apache-2.0
// The whole program from arguments to exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/exit_code.h"

namespace proxima::cli {

// `arguments` without the program's name.
ExitCode run(const std::vector<std::string>& arguments, Console& console);

}  // namespace proxima::cli
