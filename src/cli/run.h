// SPDX-License-Identifier: Apache-2.0
// The whole program from arguments to exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"

namespace proxima::cli {

// `arguments` without the program's name, which is in `invocation`.
ExitCode run(Invocation invocation, const std::vector<std::string>& arguments, Console& console);

}  // namespace proxima::cli
