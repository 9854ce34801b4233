// SPDX-License-Identifier: Apache-2.0
// The heart of Envoy's zone aware routing: from the hosts of both clusters to a routing state, and
// from a state to the zone of one request. Pure; a regeneration is latched by whoever asked for it.
//
// Everything is on a scale where 10000 is 100 %, and each quotient truncates on its own: shares
// taken from exact ratios would move the boundaries between zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "core/policy/host_set.h"
#include "core/policy/reason.h"
#include "core/policy/zone_counters.h"

namespace proxima::policy {

inline constexpr std::uint64_t kWhole = 10000;  // 100 %

// An exact share: part out of whole, which is above 0.
struct Ratio {
  std::uint64_t part = 0;
  std::uint64_t whole = 1;

  double value() const { return static_cast<double>(part) / static_cast<double>(whole); }
};

enum class ZoneState : std::uint8_t {
  None,      // zones are not looked at; `reason` says why
  Direct,    // every request goes to bucket 0, the own zone
  Residual,  // `local_share` stays, the rest goes where there is capacity left over
};

// Shares of one upstream bucket's zone among the healthy hosts of both clusters.
struct ZonePercentage {
  std::uint64_t originating = 0;
  std::uint64_t upstream = 0;

  std::uint64_t spare() const { return upstream > originating ? upstream - originating : 0; }
  friend bool operator==(const ZonePercentage&, const ZonePercentage&) = default;
};

// What a regeneration finds. A balancer that never regenerated is in state None.
struct ZoneRouting {
  ZoneState state = ZoneState::None;
  Reason reason = Reason::ClusterWide;             // one of ZoneAware… after a regeneration
  std::uint64_t local_share = 0;                   // Residual: what stays, below 10000
  std::pmr::vector<ZonePercentage> percentages{};  // by upstream bucket; empty in None
  std::pmr::vector<std::uint64_t> cumulative{};    // Residual: running sum of spare capacity

  // Spare capacity of all buckets together; 0 outside Residual.
  std::uint64_t capacity_left() const { return cumulative.empty() ? 0 : cumulative.back(); }
};

// `originating` are this proxy's peers, `upstream` the highest priority of the destination.
ZoneRouting regenerate(const HostSet& originating, const HostSet& upstream,
                       const ZoneAwareConfig& config,
                       std::pmr::memory_resource* memory = std::pmr::get_default_resource());

// What that regeneration adds to the counters.
ZoneCounters regeneration_counters(Reason reason);

struct ZonePick {
  std::size_t bucket = 0;
  std::size_t draws_used = 0;
  ZoneCounters counters;
};

// The zone of one request; `draws` are two outputs of the random source, of which it may use none,
// one or both. Not for state None.
ZonePick pick_zone(const ZoneRouting& routing, std::span<const std::uint64_t, 2> draws);

// Share of the requests that pick_zone sends to a bucket. Not for state None.
Ratio zone_pick_share(const ZoneRouting& routing, std::size_t bucket);

// The parts of which the rules of 2021 are made too: one bucket's percentages, and state Residual
// for the percentages of all buckets.
ZonePercentage percentage(std::uint64_t originating, std::uint64_t originating_total,
                          std::uint64_t upstream, std::uint64_t upstream_total);
ZoneRouting residual_routing(std::pmr::vector<ZonePercentage> percentages, bool has_local);

}  // namespace proxima::policy
