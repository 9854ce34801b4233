// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/go_text.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdint>

namespace proxima::apiserver::rules {
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

}  // namespace

std::string go_json(const boost::json::value& value) {
  std::string out;
  for (const char c : boost::json::serialize(value)) {
    if (c == '<' || c == '>' || c == '&') {
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

std::string go_utf8(std::string_view text) {
  // Nearly every text is ASCII, and every text of every body comes through here.
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = first_rune(text);
    out += rune.valid ? text.substr(0, rune.bytes) : kReplacement;
    text.remove_prefix(rune.bytes);
  }
  return out;
}

}  // namespace proxima::apiserver::rules
