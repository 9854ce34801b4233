// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic.h"

#include <algorithm>
#include <cmath>

#include "core/plan/route.h"

namespace proxima::plan {
namespace {

using model::NodeIndex;

constexpr double kRounding = 1e-12;

// Adds `share` of all traffic, starting in `from`, spread as `route` says.
void add(const RouteView& view, std::size_t from, double share, const route::Route& route,
         Traffic& traffic) {
  double left = share;
  for (const route::Pick& pick : route.picks) {
    const double part = share * pick.share;
    left -= part;
    traffic.endpoint_load[pick.endpoint] += part;
    traffic.place_to_place[from * view.places() + view.place_of(pick.endpoint)] += part;
  }
  // What rounding leaves over is nobody's traffic.
  if (left > kRounding) traffic.rejected += left;
}

// Where the answer depends on the place alone, one route serves all its nodes; nodes that answer
// differently (they carry endpoints, or labels that keys ask for) are taken out one by one.
void add_place(const RouteView& view, std::size_t place, Traffic& traffic) {
  const Demand& demand = view.demand();
  double left = demand.by_place[place];
  if (left <= 0) return;
  for (NodeIndex node : view.special_nodes(place)) {
    const double share = demand.by_node[node.value()];
    if (share <= 0) continue;
    add(view, place, share, view.route_from_node(node), traffic);
    left -= share;
  }
  if (left > kRounding) add(view, place, left, view.route_from_place(place), traffic);
}

void sum_up(const ClusterPlan& plan, const RouteView& view, Traffic& traffic) {
  const std::size_t places = view.places();
  for (std::size_t from = 0; from < places; ++from) {
    for (std::size_t to = 0; to < places; ++to) {
      const double share = traffic.place_to_place[from * places + to];
      (from == to ? traffic.local : traffic.cross) += share;
      traffic.cost += plan.prices.price[from * places + to] * share;
    }
  }
  double weight = 0;
  for (std::size_t e = 0; e < view.size(); ++e) weight += view.fair_weight(e);
  for (std::size_t e = 0; e < view.size() && weight > 0; ++e) {
    const double fair = view.fair_weight(e) / weight;
    if (fair <= 0) continue;
    traffic.worst_overload = std::max(traffic.worst_overload, traffic.endpoint_load[e] / fair - 1);
  }
  // Sums of shares carry rounding; an overload below a billionth is none.
  if (traffic.worst_overload < 1e-9) traffic.worst_overload = 0;
}

EndpointShares to_shares(const RouteView& view, route::Route route) {
  EndpointShares out;
  out.share.assign(view.size(), 0);
  for (const route::Pick& pick : route.picks) out.share[pick.endpoint] += pick.share;
  out.notes = std::move(route.notes);
  return out;
}

}  // namespace

Traffic predict_traffic(const ClusterPlan& plan, const ServicePlan& service, RouteSource source) {
  const RouteView view(plan, service, source);
  Traffic traffic;
  traffic.place_to_place.assign(plan.places * plan.places, 0);
  traffic.endpoint_load.assign(view.size(), 0);
  for (std::size_t place = 0; place < plan.places; ++place) add_place(view, place, traffic);
  sum_up(plan, view, traffic);
  return traffic;
}

EndpointShares shares_from_node(const ClusterPlan& plan, const ServicePlan& service, NodeIndex node,
                                RouteSource source) {
  const RouteView view(plan, service, source);
  return to_shares(view, view.route_from_node(node));
}

EndpointShares shares_from_zone(const ClusterPlan& plan, const ServicePlan& service,
                                model::ZoneIndex zone, RouteSource source) {
  const RouteView view(plan, service, source);
  return to_shares(view, view.route_from_place(zone ? zone.value() : plan.places - 1));
}

}  // namespace proxima::plan
