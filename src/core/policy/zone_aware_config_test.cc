// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_aware_config.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace proxima::policy {
namespace {

TEST(ZoneAwareConfig, OnlyThreeWholePercentagesLoseAPoint) {
  std::vector<std::uint32_t> changed;
  for (std::uint32_t percent = 0; percent <= 100; ++percent) {
    const std::uint32_t got = truncated_percent(percent);
    if (got == percent) continue;
    EXPECT_EQ(got, percent - 1);
    changed.push_back(percent);
  }
  EXPECT_EQ(changed, (std::vector<std::uint32_t>{29, 57, 58}));
}

TEST(ZoneAwareConfig, FractionsAreLostAndTheRangeIsKept) {
  EXPECT_EQ(truncated_percent(99.9), 99u);
  EXPECT_EQ(truncated_percent(0.9), 0u);
  EXPECT_EQ(truncated_percent(-5), 0u);
  EXPECT_EQ(truncated_percent(1e300), 100u);
  EXPECT_EQ(truncated_percent(std::numeric_limits<double>::quiet_NaN()), 0u);
}

}  // namespace
}  // namespace proxima::policy
