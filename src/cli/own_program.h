// SPDX-License-Identifier: Apache-2.0
// This program's own file.
#pragma once

#include <string>

#include "cli/terminal.h"

namespace proxima::cli {

// Its path.
std::string own_program();
// What a user writes to call the program at `path`: its name where the environment's PATH finds it.
std::string callable_name(const std::string& path, const Environment& environment);

}  // namespace proxima::cli
