// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

using namespace std::string_view_literals;

TEST(JsonText, EscapesWhatWouldEndOrBreakTheText) {
  struct Row {
    const char* name;
    std::string_view given;
    std::string_view written;
  };
  const Row rows[] = {
      {"nothing", "", R"("")"},
      {"plain text stays", "zone-a", R"("zone-a")"},
      {"long characters stay", "zürich 😀", R"("zürich 😀")"},
      {"quotation marks and backslashes", R"(a"b\c)", R"("a\"b\\c")"},
      {"ends of lines and tabs have letters", "\n\r\t", R"("\n\r\t")"},
      {"other control characters have numbers", "\x01\x1f\x7f", R"("\u0001\u001f\u007f")"},
      {"a zero does not end it", "a\0b"sv, R"("a\u0000b")"},
      {"control characters of two bytes", "\xc2\x80\xc2\x9f\xc2\xa0", "\"\\u0080\\u009f\xc2\xa0\""},
      {"a byte that begins nothing", "a\xff", R"("a\ufffd")"},
      {"a character that is cut off", "z\xc3", R"("z\ufffd")"},
      {"several after one another", "a\"\"b\n", R"("a\"\"b\n")"},
  };
  for (const Row& row : rows) EXPECT_EQ(json_text(row.given), row.written) << row.name;
}

TEST(JsonText, SeesEveryByteAtEveryPlaceOfALongText) {
  for (int code = 0; code < 0x80; ++code) {
    const std::string one(1, static_cast<char>(code));
    const std::string alone = json_text(one);
    const std::string written = alone.substr(1, alone.size() - 2);
    EXPECT_EQ(written == one, code >= 0x20 && code != '"' && code != '\\' && code != 0x7f) << code;
    for (std::size_t at = 0; at < 20; ++at) {
      const std::string before(at, 'x');
      const std::string behind(19 - at, '~');
      EXPECT_EQ(json_text(before + one + behind), '"' + before + written + behind + '"') << code;
    }
  }
}

}  // namespace
}  // namespace proxima
