// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/go_text.h"

#include <boost/json/serialize.hpp>
#include <cstdint>

namespace proxima::apiserver {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Rune {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

bool well_formed(const Rune& rune) {
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return rune.code >= kLeast[rune.bytes] && rune.code <= 0x10FFFF &&
         (rune.code < 0xD800 || rune.code > 0xDFFF);
}

Rune first_rune(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return {};
  Rune rune{length == 1 ? lead : lead & (0xFFU >> (length + 1)), length, true};
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return {};
    rune.code = rune.code << 6U | (next & 0x3FU);
  }
  return well_formed(rune) ? rune : Rune{};
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[value >> static_cast<unsigned>(shift) & 0xFU];
}

// The letter of a short escape, or 0.
char short_escape(std::uint32_t code) {
  constexpr std::string_view kCodes = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  const std::size_t at =
      code < 0x80 ? kCodes.find(static_cast<char>(code)) : std::string_view::npos;
  return at == std::string_view::npos ? '\0' : kLetters[at];
}

// What Go calls printable, as far as anybody types it: controls, blanks that are none, surrogates,
// private use and the last two of a plane are not.
bool printable(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0xA0) || code == 0xAD) return false;
  if (code >= 0x2000 && code <= 0x200F) return false;
  if (code >= 0x2028 && code <= 0x202F) return false;
  if (code >= 0x205F && code <= 0x206F) return false;
  if (code >= 0xE000 && code <= 0xF8FF) return false;
  if (code == 0x3000 || code == 0xFEFF || (code & 0xFFFEU) == 0xFFFE) return false;
  return code < 0xE0000;
}

void append_quoted(std::string& out, const Rune& rune, std::string_view bytes) {
  if (const char letter = short_escape(rune.code); letter != '\0' && rune.valid) {
    out += '\\';
    out += letter;
  } else if (rune.valid && printable(rune.code)) {
    out += bytes;
  } else if (!rune.valid || rune.code < 0x80) {
    out += "\\x";
    append_hex(out, static_cast<unsigned char>(bytes.front()), 2);
  } else if (rune.code < 0x10000) {
    out += "\\u";
    append_hex(out, rune.code, 4);
  } else {
    out += "\\U";
    append_hex(out, rune.code, 8);
  }
}

}  // namespace

std::string go_quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = first_rune(text);
    append_quoted(out, rune, text.substr(0, rune.bytes));
    text.remove_prefix(rune.bytes);
  }
  return out += '"';
}

std::string go_json(const boost::json::value& value) {
  std::string out;
  for (const char c : boost::json::serialize(value)) {
    if (c == '<' || c == '>' || c == '&') {
      out += "\\u00";
      append_hex(out, static_cast<unsigned char>(c), 2);
    } else {
      out += c;
    }
  }
  return out;
}

std::string go_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = first_rune(text);
    out += rune.valid ? text.substr(0, rune.bytes) : kReplacement;
    text.remove_prefix(rune.bytes);
  }
  return out;
}

}  // namespace proxima::apiserver
