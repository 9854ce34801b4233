// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_aware_request.h"

#include "base/check.h"

namespace proxima::policy {
namespace {

// 0 and 100 percent take no draw.
bool passes_gate(const ZoneAwareConfig& config, std::uint64_t draw) {
  return draw % 100 < truncated_percent(config.routing_enabled_percent);
}

// The steps after the choice of a priority, whether or not the list then holds a host.
RequestPick route(const ZoneAwareBalancer& balancer, const RequestDraws& draws,
                  std::optional<std::size_t> weighted_bucket, HostList list) {
  const auto diverted = [&](HostView view, ZoneCounter counter) {
    RequestPick pick{.list = std::nullopt, .draws_used = 1, .counters = {}};
    pick.counters.add(counter);
    if (!balancer.config->fail_traffic_on_panic) pick.list = HostList{list.priority, view, {}};
    return pick;
  };
  if (balancer.loads[list.priority].panic)
    return diverted(HostView::All, ZoneCounter::HealthyPanic);
  list.bucket = weighted_bucket;
  const bool zones_count = !weighted_bucket && list.priority == 0 &&
                           balancer.routing->state != ZoneState::None &&
                           passes_gate(*balancer.config, draws.gate);
  if (!zones_count) return {.list = list, .draws_used = 1, .counters = {}};
  if (originating_panic(balancer)) return diverted(list.view, ZoneCounter::LocalClusterNotOk);
  const ZonePick zone = pick_zone(*balancer.routing, std::span(draws.balancer).subspan<1>());
  list.bucket = zone.bucket;
  return {.list = list, .draws_used = 1 + zone.draws_used, .counters = zone.counters};
}

}  // namespace

std::uint64_t list_size(std::span<const HostSet> upstream, const HostList& list,
                        LocalityBasis basis) {
  const HostSet& hosts = upstream[list.priority];
  const HostTally& tally = list.bucket ? hosts.buckets[*list.bucket].hosts : hosts.flat;
  return members(tally.in(basis), list.view);
}

bool originating_panic(const ZoneAwareBalancer& balancer) {
  PROXIMA_CHECK(balancer.originating != nullptr);
  return below_panic_threshold(balancer.originating->flat.count,
                               truncated_percent(balancer.config->panic_threshold_percent));
}

RequestPick pick_hosts(const ZoneAwareBalancer& balancer, const RequestDraws& draws,
                       std::optional<std::size_t> weighted_bucket) {
  const PriorityChoice choice = choose_priority(balancer.loads, draws.balancer[0]);
  RequestPick pick =
      route(balancer, draws, weighted_bucket, HostList{choice.priority, choice.view, {}});
  if (pick.list && list_size(balancer.upstream, *pick.list) == 0) pick.list.reset();
  return pick;
}

}  // namespace proxima::policy
