// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_aware.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include "base/check.h"
#include "core/policy/zone_aware_request.h"

namespace proxima::policy {
namespace {

// Room for the numbers of about 20 zones; more zones than that take memory from the heap.
constexpr std::size_t kArenaBytes = 4096;

std::uint64_t weight_or(std::uint64_t weight, std::uint64_t hosts) {
  return weight == 0 ? hosts : weight;
}

HostTally originating_hosts(const ZoneAwarePlace& p) {
  const HostCounts count{.total = p.originating_total,
                         .healthy = p.originating_healthy,
                         .degraded = p.originating_degraded,
                         .excluded = p.originating_excluded};
  HostCounts weight = count;
  weight.healthy = weight_or(p.originating_healthy_weight, count.healthy);
  return {count, weight};
}

HostTally upstream_hosts(const ZoneAwarePlace& p) {
  const HostCounts count{.total = p.upstream_total,
                         .healthy = p.upstream_healthy,
                         .degraded = p.upstream_degraded,
                         .excluded = p.upstream_excluded};
  const HostCounts weight{.total = weight_or(p.upstream_total_weight, count.total),
                          .healthy = weight_or(p.upstream_healthy_weight, count.healthy),
                          .degraded = weight_or(p.upstream_degraded_weight, count.degraded),
                          .excluded = weight_or(p.upstream_excluded_weight, count.excluded)};
  return {count, weight};
}

// The buckets of one side in Envoy's order: the own place first, the rest as they come.
class Side {
 public:
  Side(std::span<const ZoneAwarePlace> places, std::optional<std::size_t> own,
       HostTally (*hosts_of)(const ZoneAwarePlace&), std::pmr::memory_resource* memory)
      : buckets_(memory) {
    buckets_.reserve(places.size());
    if (own) add(*own, hosts_of(places[*own]));
    has_local_ = !buckets_.empty();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i != own) add(i, hosts_of(places[i]));
    }
  }
  HostSet hosts() const { return {has_local_, buckets_, flat_}; }

 private:
  void add(std::size_t place, const HostTally& hosts) {
    if (hosts.count.total == 0) return;
    buckets_.push_back({Locality(static_cast<std::uint32_t>(place)), hosts});
    flat_ += hosts;
  }

  std::pmr::vector<LocalityBucket> buckets_;
  HostTally flat_;
  bool has_local_ = false;
};

double percent_as_share(double percent) { return percent / 100; }

double share_of_whole(std::uint64_t share) {
  return static_cast<double>(share) / static_cast<double>(kWhole);
}

Note panic_note(const ZoneAwareConfig& config, Reason unless_failing, const HostCounts& hosts) {
  return {.reason = config.fail_traffic_on_panic ? Reason::ZoneAwareFailsInPanic : unless_failing,
          .subject = {},
          .count = static_cast<std::int64_t>(hosts.healthy),
          .share = percent_as_share(available_percent(hosts)),
          .limit = percent_as_share(truncated_percent(config.panic_threshold_percent))};
}

// The facts of a routing state: what stays against what is at home, or the size that is missing.
Note routing_note(const ZoneRouting& routing, const HostSet& upstream,
                  const ZoneAwareConfig& config) {
  Note note{.reason = routing.reason,
            .subject = {},
            .count = static_cast<std::int64_t>(upstream.flat.count.healthy),
            .zones = static_cast<std::int64_t>(upstream.buckets.size())};
  if (routing.reason == Reason::ZoneAwareClusterTooSmall) {
    note.limit = static_cast<double>(config.min_cluster_size);
  }
  if (routing.state == ZoneState::None) return note;
  note.share = routing.state == ZoneState::Direct ? 1 : share_of_whole(routing.local_share);
  note.limit = share_of_whole(routing.percentages.front().upstream);
  return note;
}

// The first thing on a request's way that decides.
Note explain(const ZoneAwareBalancer& balancer) {
  const HostSet& upstream = balancer.upstream.front();
  const ZoneAwareConfig& config = *balancer.config;
  const HostCounts& hosts = upstream.flat.count;
  const bool panic = balancer.loads.front().panic;
  if (hosts.total == 0) return {.reason = Reason::NoneReady, .subject = {}};
  if (panic) return panic_note(config, Reason::ZoneAwareUpstreamPanic, hosts);
  if (hosts.healthy + hosts.degraded == 0) return {.reason = Reason::NoneReady, .subject = {}};
  if (balancer.routing->state == ZoneState::None) {
    return routing_note(*balancer.routing, upstream, config);
  }
  if (truncated_percent(config.routing_enabled_percent) == 0) {
    return {.reason = Reason::ZoneAwareDisabled, .subject = {}};
  }
  if (originating_panic(balancer)) {
    return panic_note(config, Reason::ZoneAwareOriginatingPanic, balancer.originating->flat.count);
  }
  return routing_note(*balancer.routing, upstream, config);
}

// Adds `share` of the requests to the places of a list's hosts; what finds none comes back.
double spread(const HostSet& upstream, const HostList& list, LocalityBasis basis, double share,
              std::span<double> row) {
  const auto total = static_cast<double>(list_size({&upstream, 1}, list, basis));
  if (total == 0) return share;
  if (list.bucket) {
    row[upstream.buckets[*list.bucket].locality.value()] += share;
    return 0;
  }
  for (const LocalityBucket& bucket : upstream.buckets) {
    const auto own = static_cast<double>(members(bucket.hosts.in(basis), list.view));
    row[bucket.locality.value()] += share * own / total;
  }
  return 0;
}

}  // namespace

ZoneAwareRow zone_aware_row(std::span<const ZoneAwarePlace> places, std::optional<std::size_t> own,
                            const ZoneAwareConfig& config, std::span<double> row) {
  PROXIMA_CHECK(row.size() == places.size() && (!own || *own < places.size()));
  std::array<std::byte, kArenaBytes> memory;
  std::pmr::monotonic_buffer_resource arena(memory.data(), memory.size());
  const Side originating_side(places, own, originating_hosts, &arena);
  const Side upstream_side(places, own, upstream_hosts, &arena);
  const HostSet originating = originating_side.hosts();
  const HostSet upstream = upstream_side.hosts();
  const PriorityHosts priority{upstream.flat, config.overprovisioning_factor,
                               config.weighted_priority_health};
  const PriorityLoads loads =
      priority_loads({&priority, 1}, truncated_percent(config.panic_threshold_percent), {}, &arena);
  const ZoneRouting routing = regenerate(originating, upstream, config, &arena);
  const ZoneAwareBalancer balancer{.upstream = {&upstream, 1},
                                   .loads = loads,
                                   .originating = &originating,
                                   .routing = &routing,
                                   .config = &config};
  std::fill(row.begin(), row.end(), 0.0);
  double no_host = 0;
  visit_ways(balancer, [&](const std::optional<HostList>& list, Ratio share) {
    no_host += list ? spread(upstream, *list, config.basis, share.value(), row) : share.value();
  });
  return {explain(balancer), no_host};
}

}  // namespace proxima::policy
