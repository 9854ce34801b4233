// SPDX-License-Identifier: Apache-2.0
// Characters and pieces of ASCII text, independent of the locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace proxima {

inline constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `text` without the characters of `blanks` at both ends.
inline constexpr std::string_view trimmed(std::string_view text,
                                          std::string_view blanks = " \t\n\v\f\r") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Removes from `text` everything up to the first `mark`, or all of it where there is none, and
// returns what stood before the mark, trimmed.
inline constexpr std::string_view take_until(std::string_view& text, char mark,
                                             std::string_view blanks = " \t\n\v\f\r") {
  const std::size_t at = text.find(mark);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return trimmed(part, blanks);
}

}  // namespace proxima
