// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_indent.h"

namespace proxima::apiserver {

void JsonIndenter::line(std::string& out) const {
  out += '\n';
  out.append(depth_ * 2, ' ');
}

void JsonIndenter::append(std::string_view piece, std::string& out) {
  for (const char c : piece) {
    if (in_string_) {
      out += c;
      if (!escaped_ && c == '"') in_string_ = false;
      escaped_ = !escaped_ && c == '\\';
      continue;
    }
    const bool closes = c == '}' || c == ']';
    if (just_opened_ && !closes && c != '\n') line(out);
    if (closes) {
      if (depth_ > 0) --depth_;
      if (!just_opened_) line(out);
    }
    just_opened_ = false;
    out += c;
    if (c == '{' || c == '[') {
      ++depth_;
      just_opened_ = true;
    } else if (c == ',') {
      line(out);
    } else if (c == ':') {
      out += ' ';
    } else if (c == '"') {
      in_string_ = true;
    }
  }
}

}  // namespace proxima::apiserver
