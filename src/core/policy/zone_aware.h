// SPDX-License-Identifier: Apache-2.0
// Envoy's zone aware routing as a policy of ours: which share of a zone's requests goes where.
// Integer arithmetic, preconditions in order, panic, gate: exactly the behaviour of Envoy at 1.40;
// the rule that Envoy later dropped (equal number of zones on both sides) is an option. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/policy/reason.h"
#include "core/policy/zone_aware_config.h"

namespace proxima::policy {

// One place (zone) with what the originating and the upstream side have there. A side without any
// host there does not exist in it for Envoy. Weights are sums over the same hosts; 0 beside hosts
// means not given, and then each weighs 1.
struct ZoneAwarePlace {
  std::uint64_t originating_total = 0;  // proxies, or units of demand, of any health
  std::uint64_t originating_healthy = 0;
  std::uint64_t originating_degraded = 0;
  std::uint64_t originating_excluded = 0;
  std::uint64_t originating_healthy_weight = 0;
  std::uint64_t upstream_total = 0;  // endpoints of any health
  std::uint64_t upstream_healthy = 0;
  std::uint64_t upstream_degraded = 0;
  std::uint64_t upstream_excluded = 0;  // draining
  std::uint64_t upstream_healthy_weight = 0;
  std::uint64_t upstream_total_weight = 0;
  std::uint64_t upstream_degraded_weight = 0;
  std::uint64_t upstream_excluded_weight = 0;
};

struct ZoneAwareRow {
  Note why;
  double no_host = 0;  // share of the requests that find no host
};

// What a proxy in place `own` (an index into `places`; nullopt: it has no zone) does with its
// requests: fills `row` with the probability of each place. Row and no_host sum to 1. Lists of all
// zones are shared by hosts, or by weight when that is the basis.
ZoneAwareRow zone_aware_row(std::span<const ZoneAwarePlace> places, std::optional<std::size_t> own,
                            const ZoneAwareConfig& config, std::span<double> row);

}  // namespace proxima::policy
