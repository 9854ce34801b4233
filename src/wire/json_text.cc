// SPDX-License-Identifier: Apache-2.0
#include "wire/json_text.h"

#include <algorithm>

namespace proxima::wire {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

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
  auto begin = text.begin();
  while (true) {
    const auto end = std::find_if(begin, text.end(), needs_escape);
    out.append(begin, end);
    if (end == text.end()) break;
    append_escaped(out, *end);
    begin = end + 1;
  }
  out += '"';
}

}  // namespace proxima::wire
