// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_routing_2021.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/whole_number.h"

namespace proxima::policy {
namespace {

std::optional<Reason> failed_precondition_2021(const HostSet& originating, const HostSet& upstream,
                                               const ZoneAwareConfig& config) {
  if (upstream.buckets.size() < 2) return Reason::ZoneAwareUpstreamSingleZone;
  // The counter said "local cluster" then too, though it is the upstream that is tested.
  if (!upstream.has_local || upstream.buckets.front().hosts.count.healthy == 0) {
    return Reason::ZoneAwareOwnZoneUnknown;
  }
  if (originating.buckets.size() != upstream.buckets.size()) {
    return Reason::ZoneAwareZoneNumberDiffers;
  }
  if (upstream.flat.count.healthy < config.min_cluster_size) {
    return Reason::ZoneAwareClusterTooSmall;
  }
  return std::nullopt;
}

std::uint64_t healthy_total(const HostSet& hosts) {
  std::uint64_t sum = 0;
  for (const LocalityBucket& bucket : hosts.buckets)
    sum = saturating_sum(sum, bucket.hosts.count.healthy);
  return sum;
}

}  // namespace

ZoneRouting regenerate_2021(const HostSet& originating, const HostSet& upstream,
                            const ZoneAwareConfig& config) {
  if (const auto failed = failed_precondition_2021(originating, upstream, config)) {
    return {.state = ZoneState::None, .reason = *failed};
  }
  const std::uint64_t originating_total = healthy_total(originating);
  const std::uint64_t upstream_total = healthy_total(upstream);
  std::pmr::vector<ZonePercentage> shares;
  for (std::size_t i = 0; i < upstream.buckets.size(); ++i) {
    shares.push_back(percentage(originating.buckets[i].hosts.count.healthy, originating_total,
                                upstream.buckets[i].hosts.count.healthy, upstream_total));
  }
  if (shares.front().upstream < shares.front().originating) {
    return residual_routing(std::move(shares), upstream.has_local);
  }
  return {.state = ZoneState::Direct,
          .reason = Reason::ZoneAwareDirect,
          .percentages = std::move(shares)};
}

ZonePick pick_zone_2021(const ZoneRouting& routing, std::span<const std::uint64_t, 2> draws) {
  ZonePick pick = pick_zone(routing, draws);
  if (routing.capacity_left() == 0 || pick.draws_used < 2) return pick;
  const auto& sums = routing.cumulative;
  const auto found = std::lower_bound(sums.begin(), sums.end(), draws[1] % routing.capacity_left());
  pick.bucket = static_cast<std::size_t>(found - sums.begin());
  return pick;
}

}  // namespace proxima::policy
