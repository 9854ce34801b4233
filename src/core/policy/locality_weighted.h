// SPDX-License-Identifier: Apache-2.0
// Envoy's locality-weighted balancing, the alternative to zone aware routing: each locality has a
// weight of its own, scaled down once too few of its hosts are available.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/policy/host_set.h"

namespace proxima::policy {

struct WeightedLocality {
  HostCounts hosts;
  std::uint32_t weight = 0;  // 0: it gets nothing
};

// Weight by locality after scaling for hosts of `view` (Healthy or Degraded): all of it while
// overprovisioning makes up for those that are missing.
std::vector<double> effective_weights(std::span<const WeightedLocality> localities, HostView view,
                                      std::uint32_t overprovisioning_factor);

// Earliest deadline first: weighted round robin without a random draw, as even as can be.
class LocalityScheduler {
 public:
  // Seeds count modulo this, so that a random one costs a bounded time.
  static constexpr std::uint32_t kSeedPicks = 10'000;

  // The state after `seed` picks, so that many balancers do not all begin with the same locality.
  // None when no weight is above 0: then there is nothing to schedule.
  static std::optional<LocalityScheduler> create(std::span<const double> weights,
                                                 std::uint32_t seed);

  // The next locality.
  std::size_t pick();

 private:
  struct Entry {
    double deadline;
    std::uint64_t order;  // breaks ties: what was queued first comes first
    std::size_t locality;
    double weight;
  };
  static bool later(const Entry& a, const Entry& b);
  void push(Entry entry);

  std::vector<Entry> queue_;  // a heap, the earliest deadline on top
  std::uint64_t next_order_ = 0;
};

}  // namespace proxima::policy
