// SPDX-License-Identifier: Apache-2.0
#include "telemetry/quoted_text.h"

#include <fmt/format.h>

#include <iterator>

namespace proxima::telemetry {
namespace {

// What may follow a first byte of UTF-8: the number of bytes, and the range of the second, which
// keeps out overlong forms, surrogates and what is past U+10FFFF.
struct Lead {
  std::size_t size = 0;  // 0: no first byte
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xc2 && byte <= 0xdf) return {2};
  if (byte == 0xe0) return {3, 0xa0};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {3};
  if (byte == 0xf0) return {4, 0x90};
  if (byte >= 0xf1 && byte <= 0xf3) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {};
}

// Length of the character that `text` begins with; 0 when it is no UTF-8. Not for ASCII.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Lead lead = lead_of(byte(0));
  if (lead.size == 0 || text.size() < lead.size) return 0;
  if (byte(1) < lead.low || byte(1) > lead.high) return 0;
  for (std::size_t i = 2; i < lead.size; ++i)
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  return lead.size;
}

void append_ascii(std::string& out, char c, QuoteStyle style) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20 && code != 0x7f) {
    out += c;
  } else if (style == QuoteStyle::Text) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", code);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  }
}

// U+0080 to U+009F are control characters too.
bool is_control(std::string_view character) {
  return character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text, QuoteStyle style) {
  out += '"';
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t size = first < 0x80 ? 1 : character_size(text);
    if (first < 0x80) {
      append_ascii(out, text[0], style);
    } else if (size == 0 && style == QuoteStyle::Text) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", first);
    } else if (size == 0) {
      out += "\\ufffd";
    } else if (is_control(text)) {
      fmt::format_to(std::back_inserter(out), "\\u00{:02x}", static_cast<unsigned char>(text[1]));
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  out += '"';
}

}  // namespace proxima::telemetry
