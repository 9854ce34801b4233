// SPDX-License-Identifier: Apache-2.0
#include "core/plan/prices.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

TEST(Prices, FollowZonesRegionsAndNamedPairs) {
  const auto snapshot =
      test::cluster("node n1 a 1 region=r1; node n2 b 1 region=r1; node n3 c 1 region=r2");
  PriceRules rules;
  rules.pairs = {{"b", "a", 0.5}, {"b", "gone", 7}};
  const PriceMatrix got = price_matrix(*snapshot, rules);
  // to:                            a    b  c  no zone
  const std::vector<double> want = {0,   1, 2, 1,   // from a
                                    0.5, 0, 2, 1,   // from b
                                    2,   2, 0, 1,   // from c
                                    1,   1, 1, 0};  // from no zone
  EXPECT_EQ(got.price, want);
  EXPECT_FALSE(got.uniform);
}

TEST(Prices, AreUniformWithinOneRegion) {
  EXPECT_TRUE(price_matrix(*test::cluster("node n1 a 1; node n2 b 1"), {}).uniform);
  EXPECT_TRUE(price_matrix(*test::cluster("node n1 a 1"), {}).uniform);
  const PriceRules paid{.same_zone = 0.1};
  EXPECT_FALSE(price_matrix(*test::cluster("node n1 a 1; node n2 b 1"), paid).uniform);
  const PriceRules free{.same_region = 0, .other_region = 0};
  EXPECT_FALSE(price_matrix(*test::cluster("node n1 a 1; node n2 b 1"), free).uniform);
}

}  // namespace
}  // namespace proxima::plan
