// SPDX-License-Identifier: Apache-2.0
#include "cli/text_width.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

TEST(TextWidth, CountsColumnsNotBytes) {
  const struct {
    const char* name;
    const char* text;
    std::size_t width;
  } cases[] = {
      {"nothing", "", 0},
      {"ASCII", "cart", 4},
      {"umlauts", "süß", 3},
      {"a combining mark adds nothing", "e\xCC\x81", 1},
      {"East Asian characters are two wide", "東京", 4},
      {"emoji are two wide", "🚀", 2},
      {"a broken byte shows as one sign", "a\xFFz", 3},
      {"an overlong encoding is broken bytes", "\xC0\x80", 2},
      {"a surrogate is broken bytes", "\xED\xA0\x80", 3},
      {"a sequence that ends too soon", "\xE6\x9D", 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(display_width(c.text), c.width);
  }
}

TEST(TextWidth, LetsNothingSteerTheTerminal) {
  EXPECT_EQ(printable("plain süß"), "plain süß");
  EXPECT_EQ(printable("a\x1b[31mb"), "a\xEF\xBF\xBD[31mb");
  EXPECT_EQ(printable("a\nb\tc"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD"
            "c");
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31m"),
            "a\xEF\xBF\xBD"
            "31m");
}

TEST(TextWidth, ShortensAtTheEndOrInTheMiddle) {
  EXPECT_EQ(shorten_end("checkout", 8), "checkout");
  EXPECT_EQ(shorten_end("checkout", 5), "chec…");
  EXPECT_EQ(shorten_end("checkout", 1), "…");
  EXPECT_EQ(shorten_end("checkout", 0), "");
  EXPECT_EQ(shorten_end("東京都", 4), "東…");
  EXPECT_EQ(shorten_middle("prefer-same-zone", 11), "prefe…-zone");
  EXPECT_EQ(shorten_middle("prefer-same-zone", 16), "prefer-same-zone");
  EXPECT_EQ(shorten_middle("prefer-same-zone", 3), "pr…");
}

TEST(TextWidth, WrapsAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("one  two", 20), (std::vector<std::string>{"one two"}));
  EXPECT_EQ(wrap("unbreakable", 3), (std::vector<std::string>{"unbreakable"}));
  EXPECT_EQ(wrap("", 3), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace proxima::cli
