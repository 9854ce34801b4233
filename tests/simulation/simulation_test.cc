// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "simulation/shrink.h"

namespace proxima::simulation {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

// Told with the command that shows what happened.
void expect_no_violation(std::uint64_t seed) {
  EXPECT_EQ(simulate(draw_scenario(seed)).violation, "")
      << "make simulate SEEDS=1 SEED=" << seed << " shows what happened";
}

TEST(Simulation, FindsNoViolation) {
  const std::uint64_t first = number_from("PROXIMA_SEED", 1);
  const std::uint64_t end = first + number_from("PROXIMA_SIMULATIONS", 200);
  std::cout << "PROXIMA_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < end && !HasFailure(); ++seed) expect_no_violation(seed);
}

TEST(Simulation, ASeedBringsBackTheSameHistory) {
  for (const std::uint64_t seed : {3U, 4U}) {
    SCOPED_TRACE(seed);
    const Scenario scenario = draw_scenario(seed);
    const Outcome once = simulate(scenario);
    const Outcome again = simulate(scenario);
    EXPECT_EQ(once.hash, again.hash);
    EXPECT_EQ(once.steps, again.steps);
    EXPECT_GT(once.faults, 0U);
  }
}

TEST(Simulation, SeedsDiffer) {
  EXPECT_NE(simulate(draw_scenario(5)).hash, simulate(draw_scenario(6)).hash);
}

TEST(Simulation, AQuietClusterSettlesAtOnce) {
  Scenario scenario = draw_scenario(7);
  scenario.injections.clear();
  const Outcome outcome = simulate(scenario, History::Keep::Lines);
  EXPECT_EQ(outcome.violation, "");
  EXPECT_EQ(outcome.faults, 0U);
  EXPECT_LE(outcome.settled_after, std::chrono::seconds(10));
  EXPECT_FALSE(outcome.history.empty());
}

TEST(Scenario, HasEveryKindOfHappeningAmongFewSeeds) {
  std::array<std::size_t, kHappenings> seen{};
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const Injection& injection : draw_scenario(seed).injections)
      ++seen[static_cast<std::size_t>(injection.what)];
  for (std::size_t i = 0; i < kHappenings; ++i)
    EXPECT_GT(seen[i], 0U) << to_text(static_cast<Happening>(i));
}

TEST(Shrink, LeavesNothingButWhatFails) {
  const Scenario scenario = draw_scenario(1);
  const auto count = [](const Scenario& one, Happening what) {
    return std::count_if(one.injections.begin(), one.injections.end(),
                         [&](const Injection& injection) { return injection.what == what; });
  };
  const Happening first = scenario.injections.front().what;
  const Happening last = scenario.injections.back().what;
  const auto fails = [&](const Scenario& one) {
    return count(one, first) > 0 && count(one, last) > 0;
  };
  const Scenario shortest = shrink(scenario, fails, 10'000);
  EXPECT_TRUE(fails(shortest));
  EXPECT_EQ(shortest.injections.size(), first == last ? 1U : 2U);
}

}  // namespace
}  // namespace proxima::simulation
