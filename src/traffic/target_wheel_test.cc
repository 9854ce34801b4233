// SPDX-License-Identifier: Apache-2.0
#include "traffic/target_wheel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace proxima::traffic {
namespace {

std::vector<double> turns(const std::vector<double>& shares, int count, std::uint64_t seed) {
  TargetWheel wheel(shares, SplitMix(seed));
  std::vector<double> got(shares.size());
  for (int i = 0; i < count; ++i) got[wheel.next().value()] += 1;
  return got;
}

TEST(TargetWheel, GivesEveryTargetItsShareAtAnyTime) {
  const std::vector<double> all_shares[] = {{1}, {1, 1, 1}, {3, 1}, {0.7, 0.2, 0.1}, {1, 0, 2}};
  for (const auto& shares : all_shares) {
    double all = 0;
    for (const double share : shares) all += share;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      for (const int count : {1, 7, 60, 999}) {
        const auto got = turns(shares, count, seed);
        for (std::size_t i = 0; i < shares.size(); ++i) {
          const double due = count * shares[i] / all;
          EXPECT_LE(std::abs(got[i] - due), 2.0) << "seed " << seed << ", " << count << " turns";
          EXPECT_TRUE(shares[i] > 0 || got[i] == 0);
        }
      }
    }
  }
}

TEST(TargetWheel, HasNoTurnWithoutAShare) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(TargetWheel().next());
  const std::vector<double> none = {0, -1, nan};
  EXPECT_FALSE(TargetWheel(none, SplitMix(1)).next());
}

TEST(TargetWheel, BeginsAtAnotherPlaceForAnotherSeed) {
  const std::vector<double> shares(6, 1);
  bool differs = false;
  for (std::uint64_t seed = 1; seed < 10; ++seed)
    differs |=
        TargetWheel(shares, SplitMix(seed)).next() != TargetWheel(shares, SplitMix(0)).next();
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace proxima::traffic
