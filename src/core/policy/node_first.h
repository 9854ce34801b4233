// SPDX-License-Identifier: Apache-2.0
// `balanced` with the own node as the nearest place: a node serves itself up to the bound of its
// endpoints, and what is left is balanced over the zones with the room that is left. No endpoint
// exceeds the bound; without a bound this is prefer-same-node, then prefer-same-zone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/policy/balanced.h"

namespace proxima::policy {

// An endpoint whose node is not known serves no node first.
inline constexpr std::uint32_t kUnknownNode = 0xffffffff;

struct NodeFirstInput {
  std::span<const double> demand;       // by place: share of the traffic that starts there; sum 1
  std::span<const double> node_demand;  // by node: share of the traffic that starts there, part of
                                        // its place's demand
  std::span<const std::uint16_t> node_place;      // by node
  std::span<const std::uint32_t> endpoint_node;   // by ready endpoint, or kUnknownNode
  std::span<const std::uint16_t> endpoint_place;  // by ready endpoint
  std::span<const float> endpoint_weight;         // by ready endpoint, > 0; empty: alike
  double overload = 0.2;                          // as for balanced_split, of each endpoint too
  std::span<const double> price;                  // as for balanced_split
  std::span<const unsigned char> may_stay;        // as for balanced_split; for the zone only
};

struct KeptOnNode {
  std::uint32_t node;
  double weight;  // of its endpoints, as a share of all
  double share;   // of all traffic: starts on the node and stays there, spread by weight
};

struct NodeFirstPlan {
  std::vector<KeptOnNode> kept;  // nodes that have endpoints, in the order of their first one
  std::vector<double> left;      // by place: demand that leaves its node
  std::vector<double> split;  // row-major, places × places: where that goes; row sums are `left`
  std::vector<double> zone_part;      // by endpoint: its part of what `split` brings to its place
  std::vector<double> endpoint_load;  // by endpoint: share of all traffic; sums to 1
  double node_share = 0;              // Σ kept
  double local_share = 0;             // kept on the node or in the zone
  double worst_overload = 0;  // busiest endpoint over its fair share by weight, − 1; never below 0
  double cost = 0;            // Σ price × share
};

// Reusable working memory, and the plan.
struct NodeFirstWorkspace {
  NodeFirstPlan plan;
  std::vector<std::uint32_t> slot_of_node;      // by node: position in plan.kept, plus one
  std::vector<std::uint32_t> slot_of_endpoint;  // by endpoint: the same
  std::vector<double> weight;                   // by endpoint: share of all
  std::vector<double> capacity;                 // by place
  std::vector<double> taken;                    // by place: kept by endpoints that stand there
  std::vector<double> room;                     // by endpoint: up to the bound
  std::vector<double> place_room;               // by place
  std::vector<double> incoming;                 // by place: what `split` brings
  BalancedWorkspace balanced;
};

// The plan stays valid until the workspace is used again. There must be an endpoint. Linear in the
// endpoints; the number of nodes does not matter.
const NodeFirstPlan& plan_node_first(const NodeFirstInput& input, NodeFirstWorkspace& workspace);

}  // namespace proxima::policy
