// SPDX-License-Identifier: Apache-2.0
// The help of the program and of each command, as kubectl lays it out.
#pragma once

#include <cstddef>
#include <string>

#include "cli/command_spec.h"
#include "cli/tone.h"

namespace proxima::cli {

struct HelpLayout {
  std::size_t width = 80;
  Coloring coloring = Coloring::Off;
};

std::string render_help(const ProgramSpec& program, const HelpLayout& layout);
std::string render_help(const ProgramSpec& program, const CommandSpec& command,
                        const HelpLayout& layout);

}  // namespace proxima::cli
