// SPDX-License-Identifier: Apache-2.0
#include "core/policy/locality_weighted.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima::policy {
namespace {

std::string picked(const std::vector<double>& weights, std::uint32_t seed, int count) {
  auto scheduler = LocalityScheduler::create(weights, seed);
  std::string text;
  for (int i = 0; scheduler && i < count; ++i) text += std::to_string(scheduler->pick());
  return text;
}

TEST(LocalityWeighted, TakesTurnsAsEvenlyAsWeightsAllow) {
  const struct {
    const char* name;
    std::vector<double> weights;
    std::uint32_t seed;
    const char* picks;
  } cases[] = {
      {"equal weights take turns", {1, 1, 1}, 0, "012012"},
      {"twice the weight is twice the turns", {1, 2}, 0, "101101"},
      {"a weight of 0 has no turn", {1, 0, 1}, 0, "020202"},
      {"one alone has all turns", {0, 3}, 0, "111111"},
      {"nobody has a turn without weights", {0, 0}, 0, ""},
      {"nor without localities", {}, 0, ""},
      {"a seed begins later in the same order", {1, 2}, 1, "011011"},
      {"and wraps around", {1, 1, 1}, 4, "120120"},
      {"a huge seed counts modulo its limit", {1, 2}, LocalityScheduler::kSeedPicks + 1, "011011"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(picked(c.weights, c.seed, 6), c.picks);
  }
}

TEST(LocalityWeighted, AvailabilityScalesAWeightOnlyOnceOverprovisioningIsUsedUp) {
  const struct {
    const char* name;
    HostCounts hosts;
    std::uint32_t weight;
    double healthy;
    double degraded;
  } cases[] = {
      {"all healthy", {.total = 10, .healthy = 10}, 2, 2, 0},
      {"enough healthy", {.total = 100, .healthy = 72}, 2, 2, 0},
      {"half healthy", {.total = 10, .healthy = 5, .degraded = 5}, 2, 1.4, 1.4},
      {"none healthy", {.total = 10}, 2, 0, 0},
      {"no host", {}, 2, 0, 0},
      {"excluded hosts are not missing", {.total = 4, .healthy = 2, .excluded = 2}, 3, 3, 0},
      {"only excluded hosts", {.total = 4, .excluded = 4}, 3, 0, 0},
      {"no weight", {.total = 1, .healthy = 1}, 0, 0, 0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const WeightedLocality locality{c.hosts, c.weight};
    EXPECT_DOUBLE_EQ(effective_weights({&locality, 1}, HostView::Healthy, 140)[0], c.healthy);
    EXPECT_DOUBLE_EQ(effective_weights({&locality, 1}, HostView::Degraded, 140)[0], c.degraded);
  }
}

}  // namespace
}  // namespace proxima::policy
