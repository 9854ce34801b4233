// SPDX-License-Identifier: Apache-2.0
#include "base/go_quote.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace proxima {
namespace {

// Blanks, marks of direction, private use: what Go would not print as it stands.
bool is_printable(char32_t code) {
  if (code < 0x7F) return code >= 0x20;
  constexpr std::pair<char32_t, char32_t> kHidden[] = {
      {0x7F, 0xA0},     {0xAD, 0xAD},     {0x1680, 0x1680},   {0x180E, 0x180E},   {0x2000, 0x200F},
      {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},   {0xE000, 0xF8FF},   {0xFEFF, 0xFEFF},
      {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF}};
  for (const auto& [first, last] : kHidden)
    if (code >= first && code <= last) return false;
  return true;
}

// The letter after the backslash, or 0.
char short_escape(char32_t code) {
  constexpr std::string_view kCodes = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  const std::size_t at =
      code < 0x80 ? kCodes.find(static_cast<char>(code)) : std::string_view::npos;
  return at == std::string_view::npos ? '\0' : kLetters[at];
}

void append_hex(std::string& out, std::string_view prefix, char32_t code, unsigned digits) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += prefix;
  while (digits-- > 0) out += kHex[(code >> (4U * digits)) & 15U];
}

void append_hidden(std::string& out, char32_t code) {
  if (code < 0x80) return append_hex(out, "\\x", code, 2);
  if (code < 0x10000) return append_hex(out, "\\u", code, 4);
  append_hex(out, "\\U", code, 8);
}

}  // namespace

std::string go_quote(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 2);
  for (Utf8Character next; !text.empty(); text.remove_prefix(next.bytes)) {
    next = decode_utf8(text);
    if (!next.valid) {
      append_hex(out, "\\x", static_cast<unsigned char>(text.front()), 2);
    } else if (const char letter = short_escape(next.point)) {
      out += {'\\', letter};
    } else if (is_printable(next.point)) {
      out += text.substr(0, next.bytes);
    } else {
      append_hidden(out, next.point);
    }
  }
  return out += '"';
}

}  // namespace proxima
