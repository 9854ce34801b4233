// SPDX-License-Identifier: Apache-2.0
#include "web/access_token.h"

#include <gtest/gtest.h>

#include <set>

namespace proxima::web {
namespace {

TEST(AccessToken, HasOneHundredAndTwentyEightBitsAndNeverComesTwice) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto token = new_token();
    ASSERT_TRUE(token);
    EXPECT_EQ(token->size(), 32U);
    EXPECT_TRUE(check_token(*token));
    EXPECT_TRUE(seen.insert(*token).second);
  }
}

TEST(AccessToken, IsComparedWhole) {
  struct Row {
    const char* name;
    const char* given;
    const char* expected;
    bool same;
  };
  const Row rows[] = {
      {"equal", "0123456789abcdef", "0123456789abcdef", true},
      {"the first character differs", "x123456789abcdef", "0123456789abcdef", false},
      {"the last character differs", "0123456789abcdex", "0123456789abcdef", false},
      {"a beginning is not enough", "0123456789abcde", "0123456789abcdef", false},
      {"more is too much", "0123456789abcdef0", "0123456789abcdef", false},
      {"nothing", "", "0123456789abcdef", false},
      {"nothing is expected, so nobody comes in", "", "", false},
  };
  for (const Row& row : rows) EXPECT_EQ(same_token(row.given, row.expected), row.same) << row.name;
}

TEST(AccessToken, OfTheUsersOwnMustBeLongAndPlain) {
  struct Row {
    const char* token;
    bool good;
  };
  const Row rows[] = {{"0123456789abcdef", true},
                      {"A-long_one.with~marks", true},
                      {"short", false},
                      {"", false},
                      {"0123456789abcde;", false},
                      {"0123456789 abcdef", false},
                      {"0123456789abcdef\n", false}};
  for (const Row& row : rows) EXPECT_EQ(check_token(row.token).has_value(), row.good) << row.token;
}

}  // namespace
}  // namespace proxima::web
