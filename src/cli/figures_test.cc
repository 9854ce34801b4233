// SPDX-License-Identifier: Apache-2.0
#include "cli/figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::cli {
namespace {

TEST(Figures, SharesNeverLookLikeNothingOrAllWhenTheyAreNot) {
  EXPECT_EQ(percent_text(0), "0%");
  EXPECT_EQ(percent_text(0.5), "50%");
  EXPECT_EQ(percent_text(1.0 / 3), "33.3%");
  EXPECT_EQ(percent_text(1), "100%");
  EXPECT_EQ(percent_text(1 - 1e-12), "100%");
  EXPECT_EQ(percent_text(0.0001), "<0.1%");
  EXPECT_EQ(percent_text(0.9999), ">99.9%");
  EXPECT_EQ(percent_text(-1e-12), "0%");
}

TEST(Figures, OverloadIsAboveTheFairShare) {
  EXPECT_EQ(overload_text(0), "0%");
  EXPECT_EQ(overload_text(0.2), "+20%");
  EXPECT_EQ(overload_text(2), "+200%");
  EXPECT_EQ(bound_text(0.2), "20%");
  EXPECT_EQ(bound_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Figures, MoneyOfAColumnHasTheDecimalsOfTheLargest) {
  EXPECT_EQ(money_texts({0.004, 0}), (std::vector<std::string>{"$0.0040", "$0.0000"}));
  EXPECT_EQ(money_texts({12.5, 0.004}), (std::vector<std::string>{"$12.50", "$0.00"}));
  EXPECT_EQ(money_text(1234567), "$1,234,567");
}

TEST(Figures, CountsAndVolumes) {
  EXPECT_EQ(counted(1, "zone"), "1 zone");
  EXPECT_EQ(counted(3, "zone"), "3 zones");
  EXPECT_EQ(gigabytes_text(0.25), "0.25 GB");
  EXPECT_EQ(gigabytes_text(12345.6), "12,346 GB");
}

}  // namespace
}  // namespace proxima::cli
