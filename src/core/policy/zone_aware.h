// SPDX-License-Identifier: Apache-2.0
// Envoy's zone aware routing: integer arithmetic, preconditions in order, panic, gate. Pure.
// Exactly the behaviour of Envoy at 1.40; the rule that Envoy later dropped (equal number of zones
// on both sides) is an option.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/policy/reason.h"

namespace proxima::policy {

enum class LocalityBasis : std::uint8_t { HealthyHostsNum, HealthyHostsWeight };

struct ZoneAwareConfig {
  double routing_enabled_percent = 100;  // truncated as Envoy does: 29, 57 and 58 lose one
  std::uint64_t min_cluster_size = 6;    // healthy upstream hosts
  bool fail_traffic_on_panic = false;
  std::optional<std::uint32_t> force_local_zone_min_size;  // set: force_local_zone is on
  LocalityBasis basis = LocalityBasis::HealthyHostsNum;
  double panic_threshold_percent = 50;
  std::uint32_t overprovisioning_factor = 140;
  bool weighted_priority_health = false;
  bool require_equal_zone_number = false;  // the precondition Envoy had until 1.27
};

// One place (zone) of the originating or the upstream side. A place without any host does not exist
// for Envoy.
struct ZoneAwarePlace {
  std::uint64_t originating_total = 0;    // proxies, or units of demand, of any health
  std::uint64_t originating_healthy = 0;  // by the basis: a count or a weight
  std::uint64_t upstream_total = 0;       // endpoints of any health
  std::uint64_t upstream_healthy = 0;
  std::uint64_t upstream_degraded = 0;
  std::uint64_t upstream_excluded = 0;        // draining
  std::uint64_t upstream_healthy_weight = 0;  // sum of their weights
  std::uint64_t upstream_total_weight = 0;
};

struct ZoneAwareRow {
  Note why;
  double no_host = 0;  // share of the requests that find no host
};

// What a proxy in place `own` (an index into `places`; nullopt: it has no zone) does with its
// requests: fills `row` with the probability of each place. Row and no_host sum to 1.
ZoneAwareRow zone_aware_row(std::span<const ZoneAwarePlace> places, std::optional<std::size_t> own,
                            const ZoneAwareConfig& config, std::span<double> row);

}  // namespace proxima::policy
