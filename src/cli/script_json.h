// SPDX-License-Identifier: Apache-2.0
// Writes JSON that is safe between <script> and </script>: nothing in it can end the element, start
// a comment or break a line of JavaScript, whatever the texts hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace proxima::cli {

class ScriptJson {
 public:
  ScriptJson& open(char bracket);   // '{' or '['
  ScriptJson& close(char bracket);  // '}' or ']'
  ScriptJson& key(std::string_view name);
  ScriptJson& text(std::string_view value);
  // Six significant digits; null for what JSON has no number for.
  ScriptJson& number(double value);
  ScriptJson& integer(std::int64_t value);
  ScriptJson& null();

  // What was written; the writer is empty afterwards.
  std::string take() { return std::exchange(out_, {}); }

 private:
  void separate();
  void quote(std::string_view value);

  std::string out_;
  bool first_ = true;  // nothing stands before the next value that would need a comma
};

}  // namespace proxima::cli
