// SPDX-License-Identifier: Apache-2.0
// How Envoy shares requests over the priorities of a cluster, and when a priority is in panic.
// Integer arithmetic with truncating division, so that every point of a percent lands where
// Envoy puts it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "core/policy/host_set.h"

namespace proxima::policy {

struct PriorityHosts {
  HostTally hosts;
  std::uint32_t overprovisioning_factor = 140;  // percent
  bool weighted_health = false;                 // health by weight instead of by count
};

// Percent of the requests. Healthy and degraded loads of all priorities sum to 100.
struct PriorityLoad {
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
  bool panic = false;  // use all hosts of it, whatever their health
};
using PriorityLoads = std::pmr::vector<PriorityLoad>;

// Loads of at least one priority, highest first; `panic_threshold` in percent, at most 100 counts.
// `before` are the loads of the previous calculation: with a threshold of 0 and nothing available
// anywhere, Envoy keeps the panic flags it had.
PriorityLoads priority_loads(std::span<const PriorityHosts> priorities,
                             std::uint32_t panic_threshold,
                             std::span<const PriorityLoad> before = {},
                             std::pmr::memory_resource* memory = std::pmr::get_default_resource());

// Whether too few hosts are available. Unlike a priority's flag, this knows no exemption when the
// cluster as a whole has enough; it is the rule for the originating cluster.
bool below_panic_threshold(const HostCounts& hosts, std::uint32_t panic_threshold);

// Percent of the hosts that are healthy or degraded, 0 when there are none.
double available_percent(const HostCounts& hosts);

struct PriorityChoice {
  std::size_t priority = 0;
  HostView view = HostView::Healthy;  // or Degraded
};

// The priority of one request, by its first draw.
PriorityChoice choose_priority(std::span<const PriorityLoad> loads, std::uint64_t draw);

}  // namespace proxima::policy
