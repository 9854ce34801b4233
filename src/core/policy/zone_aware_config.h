// SPDX-License-Identifier: Apache-2.0
// The settings of Envoy's zone aware routing, with Envoy's defaults.
#pragma once

#include <cstdint>
#include <optional>

namespace proxima::policy {

// What a zone's percentage is measured in. Minimum sizes and panic count hosts either way.
enum class LocalityBasis : std::uint8_t { HealthyHostsNum, HealthyHostsWeight };

struct ZoneAwareConfig {
  double routing_enabled_percent = 100;  // truncated as Envoy does: 29, 57 and 58 lose one
  std::uint64_t min_cluster_size = 6;    // healthy upstream hosts
  bool fail_traffic_on_panic = false;    // of either side
  std::optional<std::uint32_t> force_local_zone_min_size{};  // set: force_local_zone is on
  LocalityBasis basis = LocalityBasis::HealthyHostsNum;
  double panic_threshold_percent = 50;  // truncated alike; for the originating side too
  std::uint32_t overprovisioning_factor = 140;
  bool weighted_priority_health = false;
  bool require_equal_zone_number = false;  // the precondition Envoy had until 1.27
};

// A percentage of the API as the whole number Envoy works with, 0 to 100. Fractions are lost, and
// binary rounding costs 29, 57 and 58 a whole point.
std::uint32_t truncated_percent(double percent);

}  // namespace proxima::policy
