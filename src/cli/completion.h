// SPDX-License-Identifier: Apache-2.0
// Completion scripts: commands, flags, the values of flags that have a fixed choice, and files.
#pragma once

#include <string>

#include "cli/command_spec.h"

namespace proxima::cli {

std::string render_bash_completion(const ProgramSpec& program);
std::string render_zsh_completion(const ProgramSpec& program);
std::string render_fish_completion(const ProgramSpec& program);

}  // namespace proxima::cli
