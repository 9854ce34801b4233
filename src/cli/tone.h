// SPDX-License-Identifier: Apache-2.0
// What a piece of output means, turned into a colour where colours are wanted. The meaning never
// hangs on the colour alone: it is in the words too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/policy/reason.h"

namespace proxima::cli {

enum class Tone : std::uint8_t { Plain, Strong, Dim, Good, Warning, Bad, Accent };

enum class Coloring : bool { Off, On };

// `text` between the escape sequences of its tone, or as it is.
std::string paint(std::string_view text, Tone tone, Coloring coloring);

// The length of one of paint()'s escape sequences at the beginning of `text`; 0: there is none.
std::size_t tone_escape_bytes(std::string_view text);

Tone tone_of(policy::Severity severity);

}  // namespace proxima::cli
