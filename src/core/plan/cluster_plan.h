// SPDX-License-Identifier: Apache-2.0
// The plan of a whole cluster: for every service and address family, which zone each endpoint is
// for (hints) and how each zone's traffic is split over the zones (splits), with reasons. Pure: the
// same snapshot and options give the same plan. Applying a plan makes no choice.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/snapshot.h"
#include "core/plan/demand.h"
#include "core/plan/prices.h"
#include "core/policy/settings.h"

namespace proxima::plan {

struct PlanOptions {
  policy::Settings defaults;                 // the cluster default
  std::optional<policy::PolicyKind> forced;  // for `compare`: this policy for every service
  std::optional<double> forced_overload;     // for `compare`: this θ for every service
  PriceRules prices;
  std::map<std::string, double>
      measured;                 // traffic by zone, for demand `measured`; empty: as nodes say
  std::optional<WallTime> now;  // for failover budgets; none: time does not use them up
};

// What is published about one endpoint for proxies that know hints only.
struct EndpointHint {
  model::ZoneIndex zone;      // none: no zone hint
  bool for_own_node = false;  // forNodes = the endpoint's node
  model::Range shared;  // into ClusterPlan::shared_zones: all zones that it is for, where that
                        // is more than `zone`
};

// A zone that lacks endpoints and may use others for some time (`require-zone`).
struct FailingZone {
  model::ZoneIndex zone;
  WallTime since;
  bool spent = false;  // the time is over: it uses its own endpoints alone
  std::optional<WallTime> until;
};

struct ServicePlan {
  model::ServiceIndex service;
  IpFamily family = IpFamily::V4;
  policy::PolicyKind policy = policy::PolicyKind::ClusterWide;
  double overload = 0;                                       // θ, for `balanced`
  policy::Fallback fallback = policy::Fallback::Everywhere;  // `prefer-same-zone` and -node
  bool node_first = false;                // `balanced`: the own node is filled first
  bool ignores_health = false;            // `zone-aware` in panic: unready endpoints are used, too
  std::uint32_t min_local_endpoints = 1;  // `balanced`: fewer, and traffic does not prefer staying
  bool hinted = false;        // zone or node hints are published for every ready endpoint
  bool accepted = true;       // nothing the user wrote was refused
  std::uint32_t demand = 0;   // index into ClusterPlan::demands
  model::Range slices;        // into Snapshot::slices: this service and family
  model::Range endpoints;     // into Snapshot::endpoints and ClusterPlan::hints
  std::uint32_t planned = 0;  // so many of them, from the first on; the others are on slices of
                              // somebody else, and keep what those say
  std::int64_t split = -1;    // first number of its matrix in ClusterPlan::splits; −1: none
  std::uint32_t ready = 0;    // ready endpoints
  bool weighted = false;      // those that are planned differ in weight
  policy::Note why;           // the reason that decided
  // Into ClusterPlan::notes: where the policy came from and what else was looked at, strongest
  // first; then what the planner has to say besides `why`.
  model::Range policy_notes;
  model::Range planner_notes;
  model::Range keys;     // into ClusterPlan::topology_keys
  model::Range failing;  // into ClusterPlan::failing
};

struct ClusterPlan {
  model::SnapshotPtr snapshot;
  PlanOptions options;
  std::size_t places = 0;       // zones + 1
  std::vector<Demand> demands;  // the distinct demand settings in use
  PriceMatrix prices;
  std::vector<ServicePlan> services;        // by namespace, name, family
  std::vector<EndpointHint> hints;          // by endpoint of the snapshot
  std::vector<std::uint32_t> shared_zones;  // numbers, ascending within a hint
  // places × places each: share of the service's traffic from place to place; row sums are the
  // demand of the place. Only for policies that need fractions (zone-aware, balanced), and for
  // require-zone, where every zone has a row that sums to 1 or, where it is rejected, to 0.
  std::vector<double> splits;
  std::vector<policy::Note> notes;
  std::vector<std::string_view> topology_keys;
  std::vector<FailingZone> failing;
  std::vector<double> whole_rows;  // by place: 1 for zones, 0 for "no zone"
  // What ended the planning of services that failed; their notes borrow from it.
  std::vector<std::shared_ptr<const std::string>> breakdowns;

  std::span<const double> split_of(const ServicePlan& plan) const {
    if (plan.split < 0) return {};
    return std::span(splits).subspan(static_cast<std::size_t>(plan.split), places * places);
  }
  // Calls take(ZoneIndex) for each zone that it is for.
  template <class Take>
  void each_zone(const EndpointHint& hint, Take take) const {
    for (const std::uint32_t zone : model::Snapshot::part(shared_zones, hint.shared))
      take(model::ZoneIndex(zone));
    if (hint.shared.size == 0 && hint.zone) take(hint.zone);
  }
  // What its rows sum to, by place; 0 where there is none.
  std::span<const double> row_totals(const ServicePlan& plan) const {
    const bool whole = plan.policy == policy::PolicyKind::RequireZone;
    return whole ? whole_rows : demands[plan.demand].by_place;
  }
};

// What all services share, and none of them yet.
ClusterPlan empty_plan(model::SnapshotPtr snapshot, const PlanOptions& options);
// A service that cannot be planned has a plan that says so; see plan_failure.h.
ClusterPlan plan_cluster(model::SnapshotPtr snapshot, const PlanOptions& options);
// The same for one service: work in proportion to that service.
ClusterPlan plan_service(model::SnapshotPtr snapshot, const PlanOptions& options,
                         model::ServiceIndex service);

}  // namespace proxima::plan
