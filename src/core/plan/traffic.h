// SPDX-License-Identifier: Apache-2.0
// What a plan does to traffic: predicted by the same selection rules that a node proxy follows.
#pragma once

#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::plan {

// Shares of one service's traffic (all of it = 1).
struct Traffic {
  std::vector<double> place_to_place;  // row-major; sums to 1 − rejected
  std::vector<double> endpoint_load;   // by endpoint of the service, in snapshot order
  double local = 0;                    // stays in its place
  double cross = 0;                    // leaves it
  double rejected = 0;                 // finds no endpoint (topology-keys without "*", none ready)
  double worst_overload = 0;           // busiest endpoint over its fair share (by weight), − 1;
                                       // never below 0
  double cost = 0;                     // Σ price × share
};

// What nodes route by.
enum class RouteSource {
  Plan,         // once all of it is published
  HintsOfPlan,  // the same in a proxy that knows hints alone
  Published,    // what the slices of the snapshot say now
};

Traffic predict_traffic(const ClusterPlan& plan, const ServicePlan& service,
                        RouteSource source = RouteSource::Plan);

// The share of each endpoint (snapshot order, sums to 1, or to 0 when rejected) for traffic that
// starts on a node, or on a node of a zone that carries no endpoint. Reasons in `notes`.
struct EndpointShares {
  std::vector<double> share;
  std::vector<policy::Note> notes;  // the decision first, then what was passed over
};
EndpointShares shares_from_node(const ClusterPlan& plan, const ServicePlan& service,
                                model::NodeIndex node, RouteSource source = RouteSource::Plan);
EndpointShares shares_from_zone(const ClusterPlan& plan, const ServicePlan& service,
                                model::ZoneIndex zone, RouteSource source = RouteSource::Plan);

}  // namespace proxima::plan
