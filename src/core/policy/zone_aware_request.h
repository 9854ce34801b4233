// SPDX-License-Identifier: Apache-2.0
// What happens to one request of a zone aware balancer, from the first random draw to the list of
// hosts it may use; and, without drawing, which share of the requests takes which way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/policy/priority_load.h"
#include "core/policy/zone_routing.h"

namespace proxima::policy {

// What a balancer has latched, and the hosts it is about. All borrowed.
struct ZoneAwareBalancer {
  std::span<const HostSet> upstream;    // by priority
  std::span<const PriorityLoad> loads;  // of the same priorities
  const HostSet* originating = nullptr;
  const ZoneRouting* routing = nullptr;  // in state None when there is no originating cluster
  const ZoneAwareConfig* config = nullptr;
};

// Hosts among which the endpoint rule (round robin, least request, …) then chooses.
struct HostList {
  std::size_t priority = 0;
  HostView view = HostView::Healthy;
  std::optional<std::size_t> bucket;  // none: the hosts of all zones
};

// Hosts, or their weight, in a list.
std::uint64_t list_size(std::span<const HostSet> upstream, const HostList& list,
                        LocalityBasis basis = LocalityBasis::HealthyHostsNum);

// Outputs of the balancer's random source, in order, and one of the separate source of the gate.
// Which of them are used is part of the outcome.
struct RequestDraws {
  std::array<std::uint64_t, 3> balancer{};
  std::uint64_t gate = 0;
};

struct RequestPick {
  std::optional<HostList> list;  // none, or never empty: there is no second attempt elsewhere
  std::size_t draws_used = 0;    // of RequestDraws::balancer
  ZoneCounters counters;
};

// `weighted_bucket` is what locality-weighted balancing chose for the priority that
// choose_priority gives for the first draw; none when it is not configured or has no usable
// weight, and then zone aware routing applies.
RequestPick pick_hosts(const ZoneAwareBalancer& balancer, const RequestDraws& draws,
                       std::optional<std::size_t> weighted_bucket = std::nullopt);

// Whether traffic skips the zones because too few of the proxy's peers are available.
bool originating_panic(const ZoneAwareBalancer& balancer);

// Calls visit(std::optional<HostList>, Ratio) for every way a request can take, with its share of
// the requests; shares sum to 1. No list: the request fails. A list may be empty: it fails, too.
template <class Visit>
void visit_ways(const ZoneAwareBalancer& balancer, Visit visit);

namespace internal {

// The ways of the requests of one priority and view, which are `load` percent of all.
template <class Visit>
void visit_ways_of(const ZoneAwareBalancer& balancer, const HostList& flat, std::uint64_t load,
                   Visit& visit) {
  const ZoneAwareConfig& config = *balancer.config;
  const auto unless_failing = [&](const HostList& list) {
    return config.fail_traffic_on_panic ? std::nullopt : std::optional(list);
  };
  if (balancer.loads[flat.priority].panic) {
    return visit(unless_failing({flat.priority, HostView::All, {}}), Ratio{load, 100});
  }
  if (flat.priority > 0 || balancer.routing->state == ZoneState::None) {
    return visit(std::optional(flat), Ratio{load, 100});
  }
  const std::uint64_t enabled = truncated_percent(config.routing_enabled_percent);
  if (enabled < 100) visit(std::optional(flat), Ratio{load * (100 - enabled), 100 * 100});
  if (enabled == 0) return;
  if (originating_panic(balancer)) {
    return visit(unless_failing(flat), Ratio{load * enabled, 100 * 100});
  }
  for (std::size_t bucket = 0; bucket < balancer.upstream[0].buckets.size(); ++bucket) {
    const Ratio share = zone_pick_share(*balancer.routing, bucket);
    if (share.part == 0) continue;
    visit(std::optional(HostList{0, flat.view, bucket}),
          Ratio{load * enabled * share.part, 100 * 100 * share.whole});
  }
}

}  // namespace internal

template <class Visit>
void visit_ways(const ZoneAwareBalancer& balancer, Visit visit) {
  for (std::size_t i = 0; i < balancer.loads.size(); ++i) {
    const PriorityLoad& load = balancer.loads[i];
    if (load.healthy > 0) {
      internal::visit_ways_of(balancer, {i, HostView::Healthy, {}}, load.healthy, visit);
    }
    if (load.degraded > 0) {
      internal::visit_ways_of(balancer, {i, HostView::Degraded, {}}, load.degraded, visit);
    }
  }
}

}  // namespace proxima::policy
