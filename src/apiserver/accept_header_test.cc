// SPDX-License-Identifier: Apache-2.0
#include "apiserver/accept_header.h"

#include <gtest/gtest.h>

namespace proxima::apiserver {
namespace {

TEST(AcceptHeader, PutsTheBestFirst) {
  const auto ranges = parse_accept("text/html;q=0.5, application/json;as=Table;V=v1, x, a/b;q=0");
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].type, "application/json");
  EXPECT_EQ(ranges[0].parameter("as"), "Table");
  EXPECT_EQ(ranges[0].parameter("v"), "v1");
  EXPECT_EQ(ranges[1].quality_permille, 500);
}

TEST(AcceptHeader, KnowsWildcards) {
  EXPECT_TRUE(parse_accept("")[0].covers("application/json"));
  EXPECT_TRUE(parse_accept("application/*")[0].covers("application/json"));
  EXPECT_FALSE(parse_accept("text/*")[0].covers("application/json"));
}

}  // namespace
}  // namespace proxima::apiserver
