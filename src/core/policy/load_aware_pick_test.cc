// SPDX-License-Identifier: Apache-2.0
#include "core/policy/load_aware_pick.h"

#include <gtest/gtest.h>

#include <vector>

namespace proxima::policy {
namespace {

TEST(LoadAwarePick, FollowsTheWeightsOverManyDraws) {
  const LiveBucket live[] = {{Locality(0), 1}, {Locality(1), 1}, {Locality(2), 1}};
  const LocalityWeights published{.weights = {{Locality(0), 3.0}, {Locality(2), 1.0}}};
  std::vector<int> hits(3);
  for (std::uint64_t draw = 0; draw < 40'000; ++draw) {
    ++hits[load_aware_pick(live, &published, draw).value()];
  }
  EXPECT_EQ(hits[1], 0) << "a locality without a published weight";
  EXPECT_NEAR(hits[0], 30'000, 400);
  EXPECT_NEAR(hits[2], 10'000, 400);
}

TEST(LoadAwarePick, PassesOverBucketsWithoutHosts) {
  const LocalityWeights published{.weights = {{Locality(1), 1.0}}};
  const struct {
    const char* name;
    std::vector<std::uint64_t> hosts;
    const LocalityWeights* published;
    std::optional<std::size_t> bucket;
  } cases[] = {
      {"takes the weighted one", {1, 1, 1}, &published, 1},
      {"or the next that has hosts", {1, 0, 1}, &published, 2},
      {"around the end", {1, 0, 0}, &published, 0},
      {"or none", {0, 0, 0}, &published, std::nullopt},
      {"begins with the first when nothing is published", {1, 1, 1}, nullptr, 0},
      {"takes the only one", {1}, &published, 0},
      {"takes none of none", {}, &published, std::nullopt},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<LiveBucket> live;
    for (const std::uint64_t count : c.hosts) {
      live.push_back({Locality(static_cast<std::uint32_t>(live.size())), count});
    }
    EXPECT_EQ(load_aware_pick(live, c.published, 12345), c.bucket);
  }
}

TEST(LoadAwarePick, TheLowestPointSkipsALocalityWithoutWeight) {
  const LiveBucket live[] = {{Locality(0), 1}, {Locality(1), 1}};
  const LocalityWeights published{.weights = {{Locality(1), 1.0}}};
  constexpr std::uint64_t kBecomesZero = 0 - 0x9e3779b97f4a7c15;
  ASSERT_EQ(decorrelated(kBecomesZero), 0u);
  EXPECT_EQ(load_aware_pick(live, &published, kBecomesZero), 1u);
}

TEST(LoadAwarePick, DrawsOfOnePriorityDoNotShareALocality) {
  // Draws that are equal modulo 100 would choose the same priority.
  const LiveBucket live[] = {{Locality(0), 1}, {Locality(1), 1}};
  const LocalityWeights published{.weights = {{Locality(0), 1.0}, {Locality(1), 1.0}}};
  int first = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    first += load_aware_pick(live, &published, i * 100).value() == 0;
  }
  EXPECT_NEAR(first, 500, 80);
}

TEST(LoadAwarePick, CountsWhereTheRequestWent) {
  const LocalityWeights all_local{.weights = {}, .all_local = true};
  const LocalityWeights mixed;
  EXPECT_EQ(load_aware_counter(0, &all_local, true), ZoneCounter::RoutingAllDirectly);
  EXPECT_EQ(load_aware_counter(0, &mixed, true), ZoneCounter::RoutingSampled);
  EXPECT_EQ(load_aware_counter(1, &mixed, true), ZoneCounter::RoutingCrossZone);
  EXPECT_EQ(load_aware_counter(1, &mixed, false), std::nullopt);
  EXPECT_EQ(load_aware_counter(1, nullptr, true), std::nullopt);
}

TEST(LoadAwarePick, DecorrelationIsSplitMix64) {
  // First outputs of the published generator for seed 1234567.
  EXPECT_EQ(decorrelated(1234567), 6457827717110365317u);
  EXPECT_EQ(decorrelated(1234567 + 0x9e3779b97f4a7c15), 3203168211198807973u);
}

}  // namespace
}  // namespace proxima::policy
