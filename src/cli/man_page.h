// SPDX-License-Identifier: Apache-2.0
// The manual page of the program, in roff.
#pragma once

#include <string>

#include "cli/command_spec.h"

namespace proxima::cli {

std::string render_man_page(const ProgramSpec& program);

}  // namespace proxima::cli
