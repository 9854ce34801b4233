// SPDX-License-Identifier: Apache-2.0
#include "apiserver/human_duration.h"

#include <gtest/gtest.h>

namespace proxima::apiserver {
namespace {

TEST(HumanDuration, GrowsCoarserWithAge) {
  constexpr long kMinute = 60;
  constexpr long kHour = 60 * kMinute;
  constexpr long kDay = 24 * kHour;
  const struct {
    long seconds;
    const char* text;
  } cases[] = {
      {-2, "<invalid>"},
      {-1, "0s"},
      {0, "0s"},
      {119, "119s"},
      {120, "2m"},
      {9 * kMinute + 59, "9m59s"},
      {10 * kMinute + 1, "10m"},
      {179 * kMinute, "179m"},
      {3 * kHour, "3h"},
      {7 * kHour + 59 * kMinute, "7h59m"},
      {47 * kHour, "47h"},
      {2 * kDay, "2d"},
      {7 * kDay + 23 * kHour, "7d23h"},
      {8 * kDay + 23 * kHour, "8d"},
      {729 * kDay, "729d"},
      {730 * kDay, "2y"},
      {8 * 365 * kDay - 1, "7y364d"},
      {8 * 365 * kDay, "8y"},
      {9 * 365 * kDay + kDay, "9y"},
  };
  for (const auto& c : cases) EXPECT_EQ(human_duration(std::chrono::seconds(c.seconds)), c.text);
}

}  // namespace
}  // namespace proxima::apiserver
