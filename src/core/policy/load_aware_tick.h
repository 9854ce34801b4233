// SPDX-License-Identifier: Apache-2.0
// The tick of Envoy's load-aware locality policy: what backends report of their load becomes a
// weight for each locality, by the headroom left there. Pure: memory and time are arguments.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/policy/host_set.h"
#include "core/policy/load_aware_config.h"
#include "core/policy/load_aware_pick.h"

namespace proxima::policy {

struct UtilizationSample {
  double utilization = 0;          // 0 to 1
  std::chrono::milliseconds at{};  // of a monotonic clock; 0 is a time like any other
};

enum class HostHealth : std::uint8_t { Healthy, Degraded, Unhealthy };

struct LoadAwareHost {
  HostHealth health = HostHealth::Healthy;
  std::optional<UtilizationSample> sample;  // none: never reported
};

struct LoadAwareBucket {
  Locality locality;
  std::vector<LoadAwareHost> hosts;
};

// One priority.
struct LoadAwareHosts {
  bool has_local = false;  // bucket 0 is the own locality
  std::vector<LoadAwareBucket> buckets;
};

// Smoothed utilisation by locality, for healthy, degraded and all hosts on their own.
using LocalityLoads = std::map<Locality, double>;
using LoadAwareMemory = std::array<LocalityLoads, kHostViews>;  // by HostView

using PublishedWeights = std::array<LocalityWeights, kHostViews>;  // by HostView

// What a tick adds to the counters; each but the last at most once.
struct LoadAwareCounters {
  bool all_overloaded = false;
  bool local_preferred = false;
  bool spill_active = false;
  bool probe_active = false;
  std::uint64_t stale_localities = 0;
};

// By priority.
struct LoadAwareTick {
  std::vector<LoadAwareMemory> memory;
  std::vector<PublishedWeights> published;
  LoadAwareCounters counters;
};

// `before` is the memory of the previous tick; a priority it does not have starts without.
LoadAwareTick load_aware_tick(std::span<const LoadAwareHosts> priorities,
                              std::span<const LoadAwareMemory> before,
                              const LoadAwareParameters& parameters, std::chrono::milliseconds now);

}  // namespace proxima::policy
