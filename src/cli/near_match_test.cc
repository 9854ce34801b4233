// SPDX-License-Identifier: Apache-2.0
#include "cli/near_match.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

TEST(NearMatch, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("plan", "plan"), 0U);
  EXPECT_EQ(edit_distance("plna", "plan"), 1U);
  EXPECT_EQ(edit_distance("lan", "plan"), 1U);
  EXPECT_EQ(edit_distance("", "plan"), 4U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearMatch, OffersTheNearestFirstAndNothingFar) {
  const std::vector<std::string> names = {"shop/cart", "shop/card", "shop/checkout", "pay/api"};
  EXPECT_EQ(near_matches("shop/crat", names), (std::vector<std::string>{"shop/cart", "shop/card"}));
  EXPECT_EQ(near_matches("checkout", names), (std::vector<std::string>{"shop/checkout"}));
  EXPECT_TRUE(near_matches("unrelated-name", names).empty());
  EXPECT_TRUE(near_matches(std::string(10'000, 'x'), names).empty());
}

TEST(NearMatch, AsksOneQuestion) {
  EXPECT_EQ(did_you_mean({}), "");
  EXPECT_EQ(did_you_mean({"a"}), "; did you mean a?");
  EXPECT_EQ(did_you_mean({"a", "b", "c"}), "; did you mean a, b or c?");
}

}  // namespace
}  // namespace proxima::cli
