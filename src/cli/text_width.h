// SPDX-License-Identifier: Apache-2.0
// How wide UTF-8 text is on a terminal, and how to make it narrower. Text from a dump is not
// trusted: bytes that are no text, and control characters that could steer a terminal, never get
// through.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::cli {

// Columns the text takes: 2 for East Asian wide characters and most emoji, 0 for combining marks.
std::size_t display_width(std::string_view text);

// The text with control characters and malformed UTF-8 replaced by U+FFFD.
std::string printable(std::string_view text);

// At most `width` columns, with "…" where something was cut away: at the end, or in the middle
// where the end of the text matters too (names that differ in their last part).
std::string shorten_end(std::string_view text, std::size_t width);
std::string shorten_middle(std::string_view text, std::size_t width);

// Lines of at most `width` columns, broken at spaces; a longer word gets a line of its own.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace proxima::cli
