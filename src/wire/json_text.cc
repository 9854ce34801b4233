// SPDX-License-Identifier: Apache-2.0
#include "wire/json_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace proxima::wire {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Eight bytes at a time; texts that need escapes are rare.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kHighBits = 0x8080808080808080U;
  const auto below = [&](std::uint64_t word, std::uint64_t limit) {
    return (word - kOnes * limit) & ~word & kHighBits;
  };
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((below(word, 0x20) | below(word ^ kOnes * '"', 1) | below(word ^ kOnes * '\\', 1)) != 0)
      return false;
  }
  return std::none_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), needs_escape);
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20) {
    out += '\\';
    out += c;
  } else {
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  if (is_plain(text)) {
    out += text;
  } else {
    for (const char c : text) {
      if (needs_escape(c)) {
        append_escaped(out, c);
      } else {
        out += c;
      }
    }
  }
  out += '"';
}

}  // namespace proxima::wire
