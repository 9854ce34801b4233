// SPDX-License-Identifier: Apache-2.0
#include "core/model/limits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace proxima::model {
namespace {

TEST(Limits, AdmitWhatIsWithinTheBounds) {
  struct Row {
    const char* name;
    double value;
    bool admitted;
  };
  const Row rows[] = {
      {"the least", 1e-6, true},
      {"the most", 1e6, true},
      {"something between", 2.5, true},
      {"below", 1e-7, false},
      {"above", 1000001, false},
      {"negative", -1, false},
      {"infinity", HUGE_VAL, false},
      {"not a number", std::nan(""), false},
      {"minus infinity", -HUGE_VAL, false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(limit_of(Bounded::PodWeight).admits(row.value), row.admitted) << row.name;
}

TEST(Limits, EveryRowSaysWhatIsBoundedAndWhatHappensBeyond) {
  std::set<std::string_view> names;
  for (const Limit& limit : kLimits) {
    EXPECT_TRUE(names.insert(limit.what).second || limit.what == "weight of an endpoint")
        << limit.what;
    EXPECT_FALSE(limit.what.empty() || limit.source.empty() || limit.beyond.empty());
    EXPECT_TRUE(std::isfinite(limit.least) && std::isfinite(limit.most)) << limit.what;
  }
}

TEST(Limits, BoundsAreShownInFull) {
  EXPECT_EQ(limit_text(0), "0");
  EXPECT_EQ(limit_text(999), "999");
  EXPECT_EQ(limit_text(1000), "1,000");
  EXPECT_EQ(limit_text(1e15), "1,000,000,000,000,000");
  EXPECT_EQ(limit_text(1e-6), "0.000001");
  EXPECT_EQ(limit_text(-100), "-100");
  EXPECT_EQ(limit_text(-2'147'483'648.0), "-2,147,483,648");
  EXPECT_EQ(range_text(limit_of(Bounded::ServicePort)), "a number from 1 to 65,535");
}

}  // namespace
}  // namespace proxima::model
