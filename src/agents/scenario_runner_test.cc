// SPDX-License-Identifier: Apache-2.0
#include "agents/scenario_runner.h"

#include <gtest/gtest.h>

namespace proxima::agents {
namespace {

using std::chrono::seconds;

TEST(ScenarioRunner, GivesEachActionOnceWhenItIsDue) {
  const Clock::SteadyTime begin(seconds(100));
  ScenarioRunner runner({{seconds(0), Heal{}},
                         {seconds(5), FailZone{"zone-a"}},
                         {seconds(5), FailZone{"zone-b"}},
                         {seconds(9), Heal{}}},
                        begin);
  EXPECT_EQ(to_text(*runner.take(begin)), "heal");
  EXPECT_FALSE(runner.take(begin));
  EXPECT_EQ(runner.next(), begin + seconds(5));
  EXPECT_FALSE(runner.take(begin + seconds(4)));
  EXPECT_EQ(to_text(*runner.take(begin + seconds(60))), "fail-zone zone-a") << "late is not lost";
  EXPECT_EQ(to_text(*runner.take(begin + seconds(60))), "fail-zone zone-b");
  EXPECT_EQ(runner.left(), 1U);
  EXPECT_TRUE(runner.take(begin + seconds(60)));
  EXPECT_FALSE(runner.next());
  EXPECT_FALSE(runner.take(begin + seconds(60)));
}

}  // namespace
}  // namespace proxima::agents
