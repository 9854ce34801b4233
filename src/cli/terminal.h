// SPDX-License-Identifier: Apache-2.0
// What the program may assume about where its output goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/tone.h"

namespace proxima::cli {

enum class ColorMode : std::uint8_t { Auto, Always, Never };

// The value of an environment variable; nullopt when it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;
Environment process_environment();

struct Terminal {
  std::optional<std::size_t> width;  // none: not a terminal, never cut anything
  Coloring coloring = Coloring::Off;
};

// Colours: `mode` decides; Auto means on a terminal, unless NO_COLOR is set and not empty, or TERM
// is "dumb".
Coloring choose_coloring(ColorMode mode, bool is_terminal, const Environment& environment);
// What is behind a file descriptor. COLUMNS, when it is a number, goes before the driver's width.
Terminal terminal_of(int descriptor, ColorMode mode, const Environment& environment);

}  // namespace proxima::cli
