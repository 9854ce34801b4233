// SPDX-License-Identifier: Apache-2.0
#include "base/go_quote.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

TEST(GoQuote, PrintsAsGoDoes) {
  struct Row {
    const char* name;
    std::string_view given;
    std::string_view printed;
  };
  const Row rows[] = {
      {"nothing", "", R"("")"},
      {"plain text stays", "shop/web ~", R"("shop/web ~")"},
      {"long characters stay", "zürich 😀", R"("zürich 😀")"},
      {"what has a letter of its own", "\a\b\f\n\r\t\v\"\\", R"("\a\b\f\n\r\t\v\"\\")"},
      {"other control characters", "\x01\x1b\x7f", R"("\x01\x1b\x7f")"},
      {"blanks that are none", "\xC2\xA0\xE2\x80\xA8", R"("\u00a0\u2028")"},
      {"characters beyond those of 16 bits", "\xF3\xA0\x80\x81", R"("\U000e0001")"},
      {"bytes that are no text", "a\xFF\xC0", R"("a\xff\xc0")"},
      {"a character that is cut off", "a\xE2\x82", R"("a\xe2\x82")"},
  };
  for (const Row& row : rows) EXPECT_EQ(go_quote(row.given), row.printed) << row.name;
}

}  // namespace
}  // namespace proxima
