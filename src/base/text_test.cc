// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima {
namespace {

TEST(Text, TellsNoneFromEmpty) {
  EXPECT_FALSE(Text().has_value());
  EXPECT_TRUE(Text("").has_value());
  EXPECT_EQ(Text().view(), "");
  EXPECT_NE(Text(), Text(""));
}

TEST(Text, ComparesByContentAndIsOrdered) {
  EXPECT_EQ(Text(std::string(100, 'x')), Text(std::string(100, 'x')));
  EXPECT_LT(Text(), Text(""));
  EXPECT_LT(Text("a"), Text("b"));
}

TEST(Text, SharesItsBytesAmongCopies) {
  Text first("shared");
  EXPECT_TRUE(first.is_unique());
  {
    const Text second = first;
    EXPECT_EQ(first.view().data(), second.view().data());
    EXPECT_FALSE(first.is_unique());
  }
  EXPECT_TRUE(first.is_unique());
  const Text moved = std::move(first);
  EXPECT_EQ(moved.view(), "shared");
}

}  // namespace
}  // namespace proxima
