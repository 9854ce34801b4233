// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_routing.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/whole_number.h"

namespace proxima::policy {
namespace {

// Zones count with hosts of any health here, unlike everywhere below.
std::optional<Reason> failed_precondition(const HostSet& originating, const HostSet& upstream,
                                          const ZoneAwareConfig& config) {
  const bool forced = config.force_local_zone_min_size.has_value();
  if (upstream.buckets.size() < 2) return Reason::ZoneAwareUpstreamSingleZone;
  if (!forced && originating.buckets.size() < 2) return Reason::ZoneAwareOriginatingSingleZone;
  if (!originating.has_local || originating.buckets.front().hosts.count.total == 0) {
    return Reason::ZoneAwareOwnZoneUnknown;
  }
  if (config.require_equal_zone_number && originating.buckets.size() != upstream.buckets.size()) {
    return Reason::ZoneAwareZoneNumberDiffers;
  }
  if (upstream.flat.count.healthy < config.min_cluster_size) {
    return Reason::ZoneAwareClusterTooSmall;
  }
  return std::nullopt;
}

std::uint64_t healthy(const LocalityBucket& bucket, LocalityBasis basis) {
  return bucket.hosts.in(basis).healthy;
}

// Over the buckets, not the flat list: a zone that only the other side has must count as well.
std::uint64_t healthy_total(const HostSet& hosts, LocalityBasis basis) {
  std::uint64_t sum = 0;
  for (const LocalityBucket& bucket : hosts.buckets)
    sum = saturating_sum(sum, healthy(bucket, basis));
  return sum;
}

// By identity, never by position. The own zone is out of order, the rest ascends.
std::uint64_t healthy_in(const HostSet& hosts, Locality locality, LocalityBasis basis) {
  auto others = hosts.buckets;
  if (hosts.has_local) {
    if (others.front().locality == locality) return healthy(others.front(), basis);
    others = others.subspan(1);
  }
  const auto found = std::lower_bound(
      others.begin(), others.end(), locality,
      [](const LocalityBucket& bucket, Locality wanted) { return bucket.locality < wanted; });
  return found != others.end() && found->locality == locality ? healthy(*found, basis) : 0;
}

std::pmr::vector<ZonePercentage> percentages(const HostSet& originating, const HostSet& upstream,
                                             LocalityBasis basis,
                                             std::pmr::memory_resource* memory) {
  const std::uint64_t originating_total = healthy_total(originating, basis);
  const std::uint64_t upstream_total = healthy_total(upstream, basis);
  std::pmr::vector<ZonePercentage> result(memory);
  result.reserve(upstream.buckets.size());
  for (const LocalityBucket& bucket : upstream.buckets) {
    result.push_back(percentage(healthy_in(originating, bucket.locality, basis), originating_total,
                                healthy(bucket, basis), upstream_total));
  }
  return result;
}

// Why everything stays in the own zone, if it does.
std::optional<Reason> direct(ZonePercentage own, const HostSet& upstream,
                             const ZoneAwareConfig& config) {
  if (!upstream.has_local) return std::nullopt;
  if (own.upstream > 0 && own.upstream >= own.originating) return Reason::ZoneAwareDirect;
  const auto minimum = config.force_local_zone_min_size;
  if (minimum && upstream.buckets.front().hosts.count.healthy >= *minimum) {
    return Reason::ZoneAwareForcedLocal;
  }
  return std::nullopt;
}

ZonePick pick_remote(const ZoneRouting& routing, std::uint64_t draw) {
  ZonePick pick{.bucket = 0, .draws_used = 2, .counters = {}};
  pick.counters.add(ZoneCounter::RoutingCrossZone);
  if (routing.capacity_left() == 0) {
    // Uniform over all buckets, the own and empty ones included.
    pick.counters.add(ZoneCounter::NoCapacityLeft);
    pick.bucket = draw % routing.cumulative.size();
    return pick;
  }
  const auto& sums = routing.cumulative;
  const auto found = std::upper_bound(sums.begin(), sums.end(), draw % routing.capacity_left());
  pick.bucket = static_cast<std::size_t>(found - sums.begin());
  return pick;
}

}  // namespace

ZonePercentage percentage(std::uint64_t originating, std::uint64_t originating_total,
                          std::uint64_t upstream, std::uint64_t upstream_total) {
  // A bucket without a healthy host has no identity, so nobody's demand can be laid on it.
  if (upstream == 0) return {};
  return {scaled_ratio(originating, originating_total, kWhole),
          scaled_ratio(upstream, upstream_total, kWhole)};
}

ZoneRouting residual_routing(std::pmr::vector<ZonePercentage> percentages, bool has_local) {
  const ZonePercentage own = percentages.front();
  std::pmr::vector<std::uint64_t> cumulative(percentages.get_allocator());
  cumulative.reserve(percentages.size());
  std::uint64_t sum = 0;
  // Home has nothing to spare, or the state would be direct, so it needs no exception.
  for (const ZonePercentage& pair : percentages) {
    sum += pair.spare();
    cumulative.push_back(sum);
  }
  // Quotient of two truncated numbers: 1666 of 2857 keeps 5831, not the exact 5833.
  const bool stays = has_local && own.originating > 0;
  return {.state = ZoneState::Residual,
          .reason = sum == 0 ? Reason::ZoneAwareNoCapacityLeft : Reason::ZoneAwareResidual,
          .local_share = stays ? own.upstream * kWhole / own.originating : 0,
          .percentages = std::move(percentages),
          .cumulative = std::move(cumulative)};
}

ZoneRouting regenerate(const HostSet& originating, const HostSet& upstream,
                       const ZoneAwareConfig& config, std::pmr::memory_resource* memory) {
  PROXIMA_CHECK(!originating.has_local || !originating.buckets.empty());
  if (const auto failed = failed_precondition(originating, upstream, config)) {
    return {.state = ZoneState::None, .reason = *failed};
  }
  auto shares = percentages(originating, upstream, config.basis, memory);
  if (const auto why = direct(shares.front(), upstream, config)) {
    return {.state = ZoneState::Direct, .reason = *why, .percentages = std::move(shares)};
  }
  return residual_routing(std::move(shares), upstream.has_local);
}

ZoneCounters regeneration_counters(Reason reason) {
  ZoneCounters counters;
  counters.add(ZoneCounter::RecalculateZoneStructures);
  if (reason == Reason::ZoneAwareOwnZoneUnknown) counters.add(ZoneCounter::LocalClusterNotOk);
  if (reason == Reason::ZoneAwareZoneNumberDiffers) counters.add(ZoneCounter::ZoneNumberDiffers);
  if (reason == Reason::ZoneAwareClusterTooSmall) counters.add(ZoneCounter::ZoneClusterTooSmall);
  return counters;
}

ZonePick pick_zone(const ZoneRouting& routing, std::span<const std::uint64_t, 2> draws) {
  PROXIMA_CHECK(routing.state != ZoneState::None);
  ZonePick pick;
  if (routing.state == ZoneState::Direct) {
    pick.counters.add(ZoneCounter::RoutingAllDirectly);
    return pick;
  }
  if (draws[0] % kWhole >= routing.local_share) return pick_remote(routing, draws[1]);
  pick.draws_used = 1;
  pick.counters.add(ZoneCounter::RoutingSampled);
  return pick;
}

Ratio zone_pick_share(const ZoneRouting& routing, std::size_t bucket) {
  PROXIMA_CHECK(routing.state != ZoneState::None && bucket < routing.percentages.size());
  const bool first = bucket == 0;
  if (routing.state == ZoneState::Direct) return {first ? 1u : 0u, 1};
  const std::uint64_t leaving = kWhole - routing.local_share;
  const std::uint64_t capacity = routing.capacity_left();
  // Without capacity left each bucket gets one equal part of what leaves.
  const std::uint64_t parts = capacity == 0 ? routing.cumulative.size() : capacity;
  std::uint64_t own_parts = 1;
  if (capacity != 0) {
    own_parts = routing.cumulative[bucket] - (first ? 0 : routing.cumulative[bucket - 1]);
  }
  return {(first ? routing.local_share * parts : 0) + leaving * own_parts, kWhole * parts};
}

}  // namespace proxima::policy
