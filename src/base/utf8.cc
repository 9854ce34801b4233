// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

namespace proxima {
namespace {

// Length of a sequence by its first byte; 0: no first byte.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool is_scalar(char32_t point, std::size_t bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return point >= kSmallest[bytes] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
}

}  // namespace

Utf8Character decode_utf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = sequence_length(first);
  if (bytes == 0 || bytes > text.size()) return {};
  if (bytes == 1) return {first, 1, true};
  char32_t point = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    point = (point << 6U) | (next & 0x3FU);
  }
  if (!is_scalar(point, bytes)) return {};
  return {point, bytes, true};
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = decode_utf8(text);
    out += character.valid ? text.substr(0, character.bytes) : kReplacementCharacter;
    text.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace proxima
