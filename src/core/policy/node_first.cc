// SPDX-License-Identifier: Apache-2.0
#include "core/policy/node_first.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace proxima::policy {
namespace {

using Input = NodeFirstInput;

std::size_t endpoint_count(const Input& input) { return input.endpoint_place.size(); }

void check_input(const Input& input) {
  const std::size_t endpoints = endpoint_count(input);
  PROXIMA_CHECK(endpoints > 0 && input.endpoint_node.size() == endpoints);
  PROXIMA_CHECK(input.endpoint_weight.empty() || input.endpoint_weight.size() == endpoints);
  PROXIMA_CHECK(input.node_demand.size() == input.node_place.size());
}

void weigh_endpoints(const Input& input, NodeFirstWorkspace& workspace) {
  const std::size_t endpoints = endpoint_count(input);
  workspace.weight.assign(endpoints, 1);
  if (!input.endpoint_weight.empty()) {
    workspace.weight.assign(input.endpoint_weight.begin(), input.endpoint_weight.end());
  }
  const double total = std::accumulate(workspace.weight.begin(), workspace.weight.end(), 0.0);
  workspace.capacity.assign(input.demand.size(), 0);
  for (std::size_t i = 0; i < endpoints; ++i) {
    workspace.weight[i] /= total;
    workspace.capacity[input.endpoint_place[i]] += workspace.weight[i];
  }
}

// Finds the nodes that have endpoints. The table by node is cleared where it was used, so that a
// large cluster costs nothing.
void group_by_node(const Input& input, NodeFirstWorkspace& workspace) {
  auto& kept = workspace.plan.kept;
  kept.clear();
  if (workspace.slot_of_node.size() < input.node_demand.size()) {
    workspace.slot_of_node.resize(input.node_demand.size(), 0);
  }
  workspace.slot_of_endpoint.assign(endpoint_count(input), 0);
  for (std::size_t i = 0; i < endpoint_count(input); ++i) {
    const std::uint32_t node = input.endpoint_node[i];
    if (node == kUnknownNode) continue;
    std::uint32_t& slot = workspace.slot_of_node[node];
    if (slot == 0) {
      kept.push_back({node, 0, 0});
      slot = static_cast<std::uint32_t>(kept.size());
    }
    kept[slot - 1].weight += workspace.weight[i];
    workspace.slot_of_endpoint[i] = slot;
  }
  for (const KeptOnNode& node : kept) workspace.slot_of_node[node.node] = 0;
}

double price_between(const Input& input, std::size_t from, std::size_t to) {
  if (input.price.empty()) return from == to ? 0 : 1;
  return input.price[from * input.demand.size() + to];
}

constexpr double kNothing = 1e-12;

void keep_on_nodes(const Input& input, NodeFirstWorkspace& workspace) {
  NodeFirstPlan& plan = workspace.plan;
  plan.left.assign(input.demand.begin(), input.demand.end());
  plan.node_share = 0;
  for (KeptOnNode& node : plan.kept) {
    node.share = std::min(input.node_demand[node.node], (1 + input.overload) * node.weight);
    double& left = plan.left[input.node_place[node.node]];
    left -= node.share;
    // What rounding leaves over would be a row of its own, or not, by the order of the endpoints.
    if (left < kNothing) left = 0;
    plan.node_share += node.share;
  }
}

// What the node gives to each of its endpoints, and what that costs: an endpoint may be listed in
// another zone than its node.
void load_endpoints(const Input& input, NodeFirstWorkspace& workspace) {
  NodeFirstPlan& plan = workspace.plan;
  plan.endpoint_load.assign(endpoint_count(input), 0);
  workspace.taken.assign(input.demand.size(), 0);
  plan.cost = 0;
  for (std::size_t i = 0; i < endpoint_count(input); ++i) {
    const std::uint32_t slot = workspace.slot_of_endpoint[i];
    if (slot == 0) continue;
    const KeptOnNode& node = plan.kept[slot - 1];
    const double load = node.share * (workspace.weight[i] / node.weight);
    plan.endpoint_load[i] = load;
    workspace.taken[input.endpoint_place[i]] += load;
    plan.cost += load * price_between(input, input.node_place[node.node], input.endpoint_place[i]);
  }
}

void split_over_zones(const Input& input, NodeFirstWorkspace& workspace) {
  NodeFirstPlan& plan = workspace.plan;
  plan.split.assign(input.demand.size() * input.demand.size(), 0);
  const BalancedOutcome outcome = balanced_split({.demand = plan.left,
                                                  .capacity = workspace.capacity,
                                                  .overload = input.overload,
                                                  .price = input.price,
                                                  .may_stay = input.may_stay,
                                                  .taken = workspace.taken},
                                                 workspace.balanced, plan.split);
  plan.local_share = plan.node_share + outcome.local_share;
  plan.cost += outcome.cost;
}

// Endpoints share what comes from elsewhere by the room that is left; without a bound, by weight.
void share_by_room(const Input& input, NodeFirstWorkspace& workspace) {
  NodeFirstPlan& plan = workspace.plan;
  workspace.room.assign(workspace.weight.begin(), workspace.weight.end());
  workspace.place_room.assign(input.demand.size(), 0);
  for (std::size_t i = 0; i < endpoint_count(input); ++i) {
    if (std::isfinite(input.overload)) {
      const double limit = (1 + input.overload) * workspace.weight[i];
      workspace.room[i] = std::max(0.0, limit - plan.endpoint_load[i]);
    }
    workspace.place_room[input.endpoint_place[i]] += workspace.room[i];
  }
  plan.zone_part.assign(endpoint_count(input), 0);
  for (std::size_t i = 0; i < endpoint_count(input); ++i) {
    const std::size_t place = input.endpoint_place[i];
    // A place that is full to the last bit still shares its rounding.
    plan.zone_part[i] = workspace.place_room[place] > 0
                            ? workspace.room[i] / workspace.place_room[place]
                            : workspace.weight[i] / workspace.capacity[place];
  }
}

void add_zone_traffic(const Input& input, NodeFirstWorkspace& workspace) {
  NodeFirstPlan& plan = workspace.plan;
  auto& incoming = workspace.incoming;
  incoming.assign(input.demand.size(), 0);
  for (std::size_t arc = 0; arc < plan.split.size(); ++arc) {
    incoming[arc % incoming.size()] += plan.split[arc];
  }
  plan.worst_overload = 0;
  for (std::size_t i = 0; i < endpoint_count(input); ++i) {
    plan.endpoint_load[i] += plan.zone_part[i] * incoming[input.endpoint_place[i]];
    const double overload = plan.endpoint_load[i] / workspace.weight[i] - 1;
    plan.worst_overload = std::max(plan.worst_overload, overload);
  }
}

}  // namespace

const NodeFirstPlan& plan_node_first(const NodeFirstInput& input, NodeFirstWorkspace& workspace) {
  check_input(input);
  weigh_endpoints(input, workspace);
  group_by_node(input, workspace);
  keep_on_nodes(input, workspace);
  load_endpoints(input, workspace);
  split_over_zones(input, workspace);
  share_by_room(input, workspace);
  add_zone_traffic(input, workspace);
  return workspace.plan;
}

}  // namespace proxima::policy
