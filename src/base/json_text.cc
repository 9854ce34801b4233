// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/utf8.h"

namespace proxima {
namespace {

constexpr char kDelete = 0x7f;

// Stands in JSON as it is, whatever is around it.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
}

// Eight bytes at a time; texts that need more than copying are rare.
bool all_plain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  // Not 0 where a byte is below the limit, as long as no byte has its high bit.
  const auto below = [](std::uint64_t word, std::uint64_t limit) {
    return (word - kOnes * limit) & kHighBits;
  };
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t bad = (word & kHighBits) | below(word, 0x20) |
                              below(word ^ kOnes * '"', 1) | below(word ^ kOnes * '\\', 1) |
                              below(word ^ kOnes * kDelete, 1);
    if (bad != 0) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_plain);
}

// A code below U+0100.
void append_escape(std::string& out, char32_t code) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kCodes = "\"\\\n\r\t";
  constexpr std::string_view kLetters = "\"\\nrt";
  const std::size_t known = code < 0x80 ? kCodes.find(static_cast<char>(code)) : kCodes.npos;
  if (known != kCodes.npos) {
    out += {'\\', kLetters[known]};
    return;
  }
  out += "\\u00";
  out += {kHex[code >> 4U], kHex[code & 15U]};
}

// The first character, which is not plain; gives the number of its bytes.
std::size_t append_special(std::string& out, std::string_view text) {
  const Utf8Character character = decode_utf8(text);
  if (!character.valid) {
    out += "\\ufffd";
  } else if (character.point <
             0xa0) {  // up to there control characters, beside " and the backslash
    append_escape(out, character.point);
  } else {
    out += text.substr(0, character.bytes);
  }
  return character.bytes;
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!all_plain(text)) {
    const auto special = std::find_if_not(text.begin(), text.end(), is_plain);
    const auto plain = static_cast<std::size_t>(special - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    text.remove_prefix(append_special(out, text));
  }
  out += text;
  out += '"';
}

std::string json_text(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_json_text(out, text);
  return out;
}

}  // namespace proxima
