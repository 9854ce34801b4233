// SPDX-License-Identifier: Apache-2.0
#include "kube/cache_freshness.h"

#include <gtest/gtest.h>

#include <string_view>

namespace proxima::kube {
namespace {

// l: listed, w: a watch was opened, x: a request failed, '.': half of the time to catch up passes.
bool is_current_after(std::string_view story) {
  CacheFreshness freshness;
  Clock::SteadyTime now{};
  for (const char step : story) {
    if (step == 'l') freshness.listed();
    if (step == 'w') freshness.watching(now);
    if (step == 'x') freshness.lost();
    if (step == '.')
      now += std::chrono::duration_cast<Clock::SteadyTime::duration>(CacheFreshness::kCatchUp) / 2;
  }
  return freshness.is_current(now);
}

TEST(CacheFreshness, FollowsFromAListOrAWatchThatLasts) {
  const struct {
    const char* name;
    const char* story;
    bool current;
  } rows[] = {
      {"nothing was read yet", "", false},
      {"a list is the truth of its moment", "l", true},
      {"a watch goes on from there", "lw", true},
      {"a watch that fails tells no more", "lwx", false},
      {"time alone brings nothing", "lwx....", false},
      {"a watch that was just opened again may have more to tell", "lwx.w", false},
      {"it has told that after a while", "lwx.w..", true},
      {"one that fails again has not", "lwxw.x..", false},
      {"each watch has to last by itself", "lwxw.xw.", false},
      {"a list needs no time", "lwxl", true},
      {"watches that end and begin properly change nothing", "lwww", true},
  };
  for (const auto& row : rows) EXPECT_EQ(is_current_after(row.story), row.current) << row.name;
}

}  // namespace
}  // namespace proxima::kube
