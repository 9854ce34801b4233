// SPDX-License-Identifier: Apache-2.0
// Compact JSON → indented JSON, piece by piece, for people who look at answers with curl.
#pragma once

#include <string>
#include <string_view>

namespace proxima::apiserver {

class JsonIndenter {
 public:
  // Appends the next piece of the text, indented by two blanks a level.
  void append(std::string_view piece, std::string& out);

 private:
  void line(std::string& out) const;

  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool just_opened_ = false;  // nothing has come since the bracket
};

}  // namespace proxima::apiserver
