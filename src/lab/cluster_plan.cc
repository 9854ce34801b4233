// SPDX-License-Identifier: Apache-2.0
#include "lab/cluster_plan.h"

#include <utility>

namespace proxima::lab {
namespace {

class Planner {
 public:
  explicit Planner(const ClusterShape& shape) : shape_(shape) {}

  ClusterPlan plan() {
    router_ = add_host({.name = "router", .kind = HostKind::Router});
    for (std::size_t host = 1; host <= shape_.outside_hosts; ++host)
      connect(router_, {.name = "outside-" + std::to_string(host), .kind = HostKind::Outside},
              cable_to_outside(host));
    for (std::size_t node = 1; node <= shape_.nodes.size(); ++node) add_node(node);
    return std::move(plan_);
  }

 private:
  std::size_t add_host(PlannedHost host) {
    plan_.hosts.push_back(std::move(host));
    return plan_.hosts.size() - 1;
  }

  // Adds the host at the far end of `cable`.
  std::size_t connect(std::size_t near, PlannedHost host, Cable cable) {
    host.v4 = cable.far_host.v4;
    host.v6 = cable.far_host.v6;
    const std::size_t far = add_host(std::move(host));
    plan_.cables.push_back({.near_host = near, .far_host = far, .cable = std::move(cable)});
    return far;
  }

  void add_node(std::size_t number) {
    const NodeShape& shape = shape_.nodes[number - 1];
    const std::string name = "node-" + std::to_string(number);
    Cable cable = cable_to_node(number);
    if (number == 1) add_service_routes(cable);
    const std::size_t node = connect(
        router_, {.name = name, .kind = HostKind::Node, .zone = shape.zone}, std::move(cable));
    for (std::size_t pod = 1; pod <= shape.pods; ++pod)
      connect(node,
              {.name = "pod-" + std::to_string(number) + "-" + std::to_string(pod),
               .kind = HostKind::Pod,
               .zone = shape.zone,
               .node = name},
              cable_to_pod(number, pod));
  }

  static void add_service_routes(Cable& cable) {
    for (const IpAddress& via : {cable.far_host.v4, cable.far_host.v6})
      for (const IpPrefix& range : {service_range(via.family()), balancer_range(via.family())})
        cable.near.routes.push_back({range, via, cable.near.device});
  }

  const ClusterShape& shape_;
  ClusterPlan plan_;
  std::size_t router_ = 0;
};

}  // namespace

Result<ClusterPlan> plan_cluster(const ClusterShape& shape) {
  if (shape.nodes.empty()) return Error{ErrorCode::InvalidInput, "a cluster needs a node"};
  if (shape.nodes.size() > kNodesMax || shape.outside_hosts > kOutsideHostsMax)
    return Error{ErrorCode::InvalidInput, "at most 100 nodes and 100 hosts outside"};
  for (const NodeShape& node : shape.nodes)
    if (node.pods > kPodsOfANodeMax)
      return Error{ErrorCode::InvalidInput, "at most 100 Pods a node"};
  return Planner(shape).plan();
}

}  // namespace proxima::lab
