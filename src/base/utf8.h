// SPDX-License-Identifier: Apache-2.0
// UTF-8 text that may not be any: characters one after another, and what is broken made good.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace proxima {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

struct Utf8Character {
  char32_t point = 0;
  std::size_t bytes = 1;
  bool valid = false;
};
// The first character of a text that is not empty; one byte that is not valid when there is none.
Utf8Character decode_utf8(std::string_view text);

// The text with malformed UTF-8 replaced by U+FFFD; control characters stay.
std::string valid_utf8(std::string_view text);

}  // namespace proxima
