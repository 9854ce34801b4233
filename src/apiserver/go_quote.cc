// SPDX-License-Identifier: Apache-2.0
#include "apiserver/go_quote.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace proxima::apiserver {
namespace {

struct Rune {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8 here
};

std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

Rune first_rune(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = length_by_lead(lead);
  if (bytes < 2) return {lead, bytes};
  if (text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kSmallest[bytes] || surrogate || code > 0x10FFFF) return {};
  return {code, bytes};
}

// Blanks, marks of direction, private use: what Go would not print as it stands.
bool is_printable(std::uint32_t code) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kHidden[] = {
      {0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x1680, 0x1680},   {0x180E, 0x180E},
      {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},   {0xE000, 0xF8FF},
      {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
  };
  for (const auto& [first, last] : kHidden)
    if (code >= first && code <= last) return false;
  return true;
}

// The letter after the backslash, or 0.
char short_escape(std::uint32_t code) {
  constexpr std::string_view kCodes = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  const std::size_t at =
      code < 0x80 ? kCodes.find(static_cast<char>(code)) : std::string_view::npos;
  return at == std::string_view::npos ? '\0' : kLetters[at];
}

void append_hidden(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", code);
  } else if (code < 0x10000) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", code);
  }
}

}  // namespace

std::string go_quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = first_rune(text);
    if (rune.bytes == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                     static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (const char letter = short_escape(rune.code)) {
      out += {'\\', letter};
    } else if (is_printable(rune.code)) {
      out += text.substr(0, rune.bytes);
    } else {
      append_hidden(out, rune.code);
    }
    text.remove_prefix(rune.bytes);
  }
  return out += '"';
}

}  // namespace proxima::apiserver
