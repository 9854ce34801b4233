// SPDX-License-Identifier: Apache-2.0
#include "cli/text_width.h"

#include <algorithm>
#include <cstdint>

#include "base/utf8.h"

namespace proxima::cli {
namespace {

constexpr std::string_view kEllipsis = "…";

bool is_control(char32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) ||
         (point >= 0x200B && point <= 0x200F) ||  // invisible, and changes of direction
         (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

struct Block {
  char32_t first, last;
};
constexpr Block kCombining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
constexpr Block kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                           {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                           {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                           {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};

template <std::size_t N>
bool is_in(char32_t point, const Block (&blocks)[N]) {
  return std::any_of(std::begin(blocks), std::end(blocks),
                     [&](Block b) { return point >= b.first && point <= b.last; });
}

std::size_t width_of(const Utf8Character& character) {
  if (!character.valid) return 1;  // it will be shown as U+FFFD
  if (is_in(character.point, kCombining)) return 0;
  return is_in(character.point, kWide) ? 2 : 1;
}

// The longest beginning of at most `width` columns.
std::string_view beginning(std::string_view text, std::size_t width) {
  std::size_t used = 0, bytes = 0;
  while (bytes < text.size()) {
    const Utf8Character character = decode_utf8(text.substr(bytes));
    used += width_of(character);
    if (used > width) break;
    bytes += character.bytes;
  }
  return text.substr(0, bytes);
}

// The longest end of at most `width` columns.
std::string_view ending(std::string_view text, std::size_t width) {
  std::size_t left = display_width(text);
  while (left > width) {
    const Utf8Character character = decode_utf8(text);
    left -= width_of(character);
    text.remove_prefix(character.bytes);
  }
  return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Utf8Character character = decode_utf8(text);
    width += width_of(character);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = decode_utf8(text);
    const bool shown = character.valid && !is_control(character.point);
    out += shown ? text.substr(0, character.bytes) : kReplacementCharacter;
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string shorten_end(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(beginning(text, width - 1)).append(kEllipsis);
}

std::string shorten_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width < 5) return shorten_end(text, width);  // too little room for two halves
  const std::size_t tail = (width - 1) / 2;
  std::string out(beginning(text, width - 1 - tail));
  return out.append(kEllipsis).append(ending(text, tail));
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const std::size_t word_width = display_width(word);
    if (lines.empty() || used + 1 + word_width > width) {
      lines.emplace_back(word);
      used = word_width;
      continue;
    }
    lines.back().append(" ").append(word);
    used += 1 + word_width;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace proxima::cli
