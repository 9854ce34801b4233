// SPDX-License-Identifier: Apache-2.0
#include "cli/printable_output.h"

#include <algorithm>

#include "base/utf8.h"
#include "cli/tone.h"

namespace proxima::cli {
namespace {

bool is_plain_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte < 0x7F) || c == '\n' || c == '\t';
}

// C0, DEL and C1: xterm takes U+009B for ESC [.
bool steers_terminal(char32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

// Bytes at the beginning of the text that may be printed as they are; 0: the first may not.
std::size_t harmless_bytes(std::string_view text) {
  if (is_plain_byte(text.front())) return 1;
  if (const std::size_t escape = tone_escape_bytes(text)) return escape;
  const Utf8Character character = decode_utf8(text);
  return character.valid && !steers_terminal(character.point) ? character.bytes : 0;
}

}  // namespace

bool is_plain_output(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_plain_byte);
}

std::string printable_output(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t harmless = harmless_bytes(text);
    out += harmless > 0 ? text.substr(0, harmless) : kReplacementCharacter;
    text.remove_prefix(harmless > 0 ? harmless : decode_utf8(text).bytes);
  }
  return out;
}

}  // namespace proxima::cli
