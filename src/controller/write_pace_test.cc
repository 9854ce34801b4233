// SPDX-License-Identifier: Apache-2.0
#include "controller/write_pace.h"

#include <gtest/gtest.h>

namespace proxima::controller {
namespace {

using std::chrono::milliseconds;

constexpr Clock::SteadyTime at(int milliseconds_since_start) {
  return Clock::SteadyTime{} + milliseconds(milliseconds_since_start);
}

TEST(WritePace, HoldsUpOnlyWhatFollowsAWriteOfTheSameService) {
  WritePace pace(milliseconds(100));
  EXPECT_EQ(pace.wait_for("shop/web", at(0)), milliseconds(0)) << "never written";
  pace.wrote("shop/web", at(1000));
  EXPECT_EQ(pace.wait_for("shop/web", at(1030)), milliseconds(70));
  EXPECT_EQ(pace.wait_for("shop/web", at(1100)), milliseconds(0));
  EXPECT_EQ(pace.wait_for("shop/cart", at(1030)), milliseconds(0)) << "another";
}

TEST(WritePace, HoldsUpNothingWithoutASpacing) {
  WritePace pace(milliseconds(0));
  pace.wrote("shop/web", at(0));
  EXPECT_EQ(pace.wait_for("shop/web", at(0)), milliseconds(0));
}

TEST(WritePace, RemembersWhatCountsHoweverManyThereAre) {
  WritePace pace(milliseconds(100));
  for (int i = 0; i < 5000; ++i) pace.wrote("shop/" + std::to_string(i), at(i));
  EXPECT_EQ(pace.wait_for("shop/0", at(5000)), milliseconds(0));
  EXPECT_EQ(pace.wait_for("shop/4990", at(5000)), milliseconds(90));
}

}  // namespace
}  // namespace proxima::controller
