// SPDX-License-Identifier: Apache-2.0
#include "cli/script_json.h"

#include <charconv>
#include <cmath>
#include <iterator>

namespace proxima::cli {
namespace {

constexpr int kSignificantDigits = 6;

// U+2028 and U+2029 end a line in JavaScript, though not in JSON: E2 80 A8 and E2 80 A9.
bool starts_line_separator(std::string_view text) {
  return text.size() >= 3 && text[0] == '\xe2' && text[1] == '\x80' &&
         (text[2] == '\xa8' || text[2] == '\xa9');
}

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' ||
         c == '&' || c == '\x7f';
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[byte >> 4U];
  out += kHex[byte & 15U];
}

}  // namespace

void ScriptJson::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

ScriptJson& ScriptJson::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

ScriptJson& ScriptJson::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

ScriptJson& ScriptJson::key(std::string_view name) {
  separate();
  quote(name);
  out_ += ':';
  first_ = true;
  return *this;
}

ScriptJson& ScriptJson::text(std::string_view value) {
  separate();
  quote(value);
  return *this;
}

ScriptJson& ScriptJson::number(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value,
                                 std::chars_format::general, kSignificantDigits);
  out_.append(buffer, end.ptr);
  return *this;
}

ScriptJson& ScriptJson::integer(std::int64_t value) {
  separate();
  out_ += std::to_string(value);
  return *this;
}

ScriptJson& ScriptJson::null() {
  separate();
  out_ += "null";
  return *this;
}

void ScriptJson::quote(std::string_view value) {
  out_ += '"';
  while (!value.empty()) {
    if (starts_line_separator(value)) {
      out_ += value[2] == '\xa8' ? "\\u2028" : "\\u2029";
      value.remove_prefix(3);
      continue;
    }
    if (needs_escape(value[0])) {
      append_escaped(out_, value[0]);
    } else {
      out_ += value[0];
    }
    value.remove_prefix(1);
  }
  out_ += '"';
}

}  // namespace proxima::cli
