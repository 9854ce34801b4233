// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/go_text.h"

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "base/utf8.h"

namespace proxima::apiserver::rules {

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
  return valid_utf8(text);
}

}  // namespace proxima::apiserver::rules
