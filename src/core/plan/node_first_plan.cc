// SPDX-License-Identifier: Apache-2.0
#include "core/plan/node_first_plan.h"

namespace proxima::plan {

std::vector<std::uint16_t> node_places(const model::Snapshot& snapshot) {
  std::vector<std::uint16_t> places;
  places.reserve(snapshot.nodes.size());
  for (const model::Node& node : snapshot.nodes) {
    const std::size_t place = node.zone ? node.zone.value() : snapshot.zones.size();
    places.push_back(static_cast<std::uint16_t>(place));
  }
  return places;
}

const policy::NodeFirstPlan& plan_nodes_first(const ClusterPlan& plan, const ServicePlan& service,
                                              const ReadyEndpoints& ready,
                                              std::span<const std::uint16_t> node_place,
                                              std::span<const unsigned char> may_stay,
                                              policy::NodeFirstWorkspace& workspace) {
  const Demand& demand = plan.demands[service.demand];
  return policy::plan_node_first({.demand = demand.by_place,
                                  .node_demand = demand.by_node,
                                  .node_place = node_place,
                                  .endpoint_node = ready.node,
                                  .endpoint_place = ready.place,
                                  .endpoint_weight = ready.weights(),
                                  .overload = service.overload,
                                  .price = plan.prices.for_balancing(),
                                  .may_stay = may_stay},
                                 workspace);
}

}  // namespace proxima::plan
