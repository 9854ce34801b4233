// SPDX-License-Identifier: Apache-2.0
// The network of a small cluster as a value: hosts, the cables between them, addresses and routes.
//
//   outside-1 … outside-M      hosts beyond the cluster
//            router            knows every node and its Pods; sends service addresses to node-1
//   node-1 … node-N            forward for their Pods
//   pod-1-1 … pod-N-P          one address a family, everything else through their node
//
// Pure: equal shapes give equal plans.
#pragma once

#include <string>
#include <vector>

#include "lab/cable_plan.h"
#include "lab/host_kind.h"

namespace proxima::lab {

// What a lab of one machine can carry, and what the addresses have room for.
inline constexpr std::size_t kNodesMax = 100;
inline constexpr std::size_t kPodsOfANodeMax = 100;
inline constexpr std::size_t kOutsideHostsMax = 100;

struct NodeShape {
  std::string zone;
  std::size_t pods = 0;
};

struct ClusterShape {
  std::vector<NodeShape> nodes;
  std::size_t outside_hosts = 1;
};

struct PlannedHost {
  std::string name;
  HostKind kind;
  std::string zone;  // of nodes and Pods
  std::string node;  // of Pods: the name of their node
  IpAddress v4;      // 0.0.0.0 for the router, which has one a cable
  IpAddress v6;
};

struct PlannedCable {
  std::size_t near_host;  // in ClusterPlan::hosts
  std::size_t far_host;
  Cable cable;
};

struct ClusterPlan {
  std::vector<PlannedHost> hosts;
  std::vector<PlannedCable> cables;
};

// Fails with InvalidInput when there are too many of something, or no node.
Result<ClusterPlan> plan_cluster(const ClusterShape& shape);

}  // namespace proxima::lab
