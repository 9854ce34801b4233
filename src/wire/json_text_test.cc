// SPDX-License-Identifier: Apache-2.0
#include "wire/json_text.h"

#include <gtest/gtest.h>

namespace proxima::wire {
namespace {

using namespace std::string_view_literals;

std::string json_of(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

TEST(AppendQuoted, EscapesWhatWouldEndOrBreakTheText) {
  EXPECT_EQ(json_of(""), R"("")");
  EXPECT_EQ(json_of("zürich"), R"("zürich")");
  EXPECT_EQ(json_of(R"(a"b\c)"), R"("a\"b\\c")");
  EXPECT_EQ(json_of("\n\x1f"sv), R"("\u000a\u001f")");
  EXPECT_EQ(json_of("a\0b"sv), R"("a\u0000b")");
}

TEST(AppendQuoted, SeesEveryPlaceInALongText) {
  for (std::size_t at = 0; at < 20; ++at) {
    for (const char c : {'"', '\\', '\x1f', '\0'}) {
      std::string text(20, 'x');
      text[at] = c;
      const std::string escape = c == '"'      ? R"(\")"
                                 : c == '\\'   ? R"(\\)"
                                 : c == '\x1f' ? R"(\u001f)"
                                               : R"(\u0000)";
      EXPECT_EQ(json_of(text),
                '"' + std::string(at, 'x') + escape + std::string(19 - at, 'x') + '"');
    }
    std::string text(20, 'x');
    text[at] = '\x80';
    EXPECT_EQ(json_of(text), '"' + text + '"');
  }
}

}  // namespace
}  // namespace proxima::wire
