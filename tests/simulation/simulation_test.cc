// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

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

// Until kinds of happenings are added or removed, which makes others of all scenarios.
TEST(Simulation, PassesWhereItOnceFailed) {
  constexpr std::uint64_t kSeeds[] = {
      4,        // ten tries were over while a watch was silent: endpoints in two slices
      21,       // a write answered with 200 and garbage counted as done
      200186,   // two Pods with one address
      300262,   // a proxy goes through what happened while its watch was silent
      400329,   // a reflector that waits when all faults are over
      500004,   // a write that was cut off arrived after the Lease was given back
      1002088,  // Endpoints mirrored twice, because a selector made their slices forgotten
      5000254,  // a leader whose cache was behind deleted a slice that another had filled since
      7000435,  // Endpoints that were waited for too long were left alone for good
  };
  for (const std::uint64_t seed : kSeeds) expect_no_violation(seed);
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

// What one simulation leaves in memory must not reach the next: neither where objects lie nor in
// which order they were made may count.
TEST(Simulation, ASeedIsTheSameWhateverWasSimulatedBefore) {
  constexpr std::uint64_t kFirst = 1, kLast = 20;
  std::map<std::uint64_t, std::uint64_t> upwards, downwards;
  for (std::uint64_t seed = kFirst; seed <= kLast; ++seed)
    upwards[seed] = simulate(draw_scenario(seed)).hash;
  for (std::uint64_t seed = kLast; seed >= kFirst; --seed)
    downwards[seed] = simulate(draw_scenario(seed)).hash;
  EXPECT_EQ(upwards, downwards);
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

// What is drawn may hit nobody. Checks that never have anything to check say nothing.
TEST(Simulation, FewSeedsFeelEveryKindOfFaultAndEveryCheck) {
  Outcome all;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Outcome outcome = simulate(draw_scenario(seed));
    for (std::size_t i = 0; i < kHappenings; ++i)
      if (outcome.hits.of(static_cast<Happening>(i)) > 0) all.hits.add(static_cast<Happening>(i));
    all.routes_held_for_long += outcome.routes_held_for_long;
    all.routes_held_as_read += outcome.routes_held_as_read;
    all.withdrawals += outcome.withdrawals;
    all.plans_of_senders += outcome.plans_of_senders;
    all.splits_of_senders += outcome.splits_of_senders;
  }
  for (std::size_t i = 0; i < kHappenings; ++i)
    EXPECT_GT(all.hits.of(static_cast<Happening>(i)), 0U) << to_text(static_cast<Happening>(i));
  EXPECT_GT(all.routes_held_for_long, 0U);
  EXPECT_GT(all.routes_held_as_read, 0U);
  EXPECT_GT(all.withdrawals, 0U);
  EXPECT_GT(all.plans_of_senders, 0U);
  EXPECT_GT(all.splits_of_senders, 0U);
}

TEST(Scenario, HasEveryKindOfHappeningAmongFewSeeds) {
  std::array<std::size_t, kHappenings> seen{};
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const Injection& injection : draw_scenario(seed).injections)
      ++seen[static_cast<std::size_t>(injection.what)];
  for (std::size_t i = 0; i < kHappenings; ++i)
    EXPECT_GT(seen[i], 0U) << to_text(static_cast<Happening>(i));
}

TEST(Scenario, KeepsTheHappeningsThatAreNamed) {
  const Scenario whole = draw_scenario(9);
  Scenario some = whole;
  keep_only(some, {3, 17, 40});
  ASSERT_EQ(some.injections.size(), 3U);
  EXPECT_EQ(some.injections[1].at, whole.injections[16].at);
  EXPECT_EQ(some.injections[1].number, 17U);
}

TEST(Shrink, ComparesWhatAViolationSays) {
  const std::string loses = "node-1: Service shop/web at 10.96.0.3 loses its route, though";
  EXPECT_TRUE(is_same_violation(
      loses, "node-0: Service shop/findx at fd00:96::12 loses its route, though"));
  EXPECT_FALSE(is_same_violation(loses, "node-1: Service shop/web at 10.96.0.3 has no route"));
  EXPECT_FALSE(is_same_violation(loses, ""));
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
