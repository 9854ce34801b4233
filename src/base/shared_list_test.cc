// SPDX-License-Identifier: Apache-2.0
#include "base/shared_list.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

using Numbers = SharedList<int>;

TEST(SharedList, IsSharedByItsCopies) {
  const Numbers list(std::vector<int>{1, 2, 3});
  const Numbers copy = list;  // NOLINT: a copy is what is tested
  EXPECT_TRUE(copy.shares_with(list));
  EXPECT_EQ(copy.begin(), list.begin());
  EXPECT_EQ(std::vector<int>(copy.begin(), copy.end()), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(copy.front(), 1);
}

TEST(SharedList, IsEqualToOneOfTheSameValues) {
  const Numbers list(std::vector<int>{1, 2});
  EXPECT_EQ(list, Numbers(std::vector<int>{1, 2}));
  EXPECT_FALSE(list == Numbers(std::vector<int>{1, 3}));
  EXPECT_FALSE(list == Numbers(std::vector<int>{1}));
  EXPECT_FALSE(list == Numbers());
}

TEST(SharedList, MayBeEmpty) {
  const Numbers none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(none, Numbers(std::vector<int>()));
}

}  // namespace
}  // namespace proxima
