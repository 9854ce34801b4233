// SPDX-License-Identifier: Apache-2.0
#include "wire/json_text.h"

#include <gtest/gtest.h>

namespace proxima::wire {
namespace {

using namespace std::string_view_literals;

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

TEST(AppendQuoted, EscapesWhatWouldEndOrBreakTheText) {
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("zürich"), R"("zürich")");
  EXPECT_EQ(quoted(R"(a"b\c)"), R"("a\"b\\c")");
  EXPECT_EQ(quoted("\n\x1f"sv), R"("\u000a\u001f")");
  EXPECT_EQ(quoted("a\0b"sv), R"("a\u0000b")");
}

}  // namespace
}  // namespace proxima::wire
