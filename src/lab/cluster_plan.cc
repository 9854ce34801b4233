// SPDX-License-Identifier: Apache-2.0
#include "lab/cluster_plan.h"

#include <array>

namespace proxima::lab {
namespace {

constexpr std::array kFamilies = {IpFamily::V4, IpFamily::V6};

IpAddress address(const std::string& text) { return IpAddress::parse(text).value(); }
IpPrefix prefix(const std::string& text) { return IpPrefix::parse(text).value(); }

bool is_v4(IpFamily family) { return family == IpFamily::V4; }

// The network between the router and node `number`, or outside host `number`: the router is 1 in
// it, the other end 2.
std::string node_net(IpFamily family, std::size_t number) {
  const std::string n = std::to_string(number);
  return is_v4(family) ? "192.168." + n + "." : "fd00:192:168:" + n + "::";
}
std::string outside_net(IpFamily family, std::size_t number) {
  return is_v4(family) ? "203.0." + std::to_string(112 + number) + "."
                       : "2001:db8:" + std::to_string(number) + "::";
}
std::string pod_net(IpFamily family, std::size_t node) {
  const std::string n = std::to_string(node);
  return is_v4(family) ? "10.180." + n + "." : "fd00:10:180:" + n + "::";
}
IpPrefix pods_of_node(IpFamily family, std::size_t node) {
  return prefix(pod_net(family, node) + (is_v4(family) ? "0/24" : "/64"));
}
// Every Pod's way out. Only its cable knows this address, so each node can have it on each cable.
IpAddress pod_gateway(IpFamily family) {
  return address(is_v4(family) ? "169.254.1.1" : "fe80::1");
}
IpPrefix everything(IpFamily family) { return prefix(is_v4(family) ? "0.0.0.0/0" : "::/0"); }
std::uint8_t whole(IpFamily family) { return is_v4(family) ? 32 : 128; }

class Planner {
 public:
  explicit Planner(const ClusterShape& shape) : shape_(shape) {}

  ClusterPlan plan() {
    router_ = add_host({.name = "router", .kind = HostKind::Router});
    for (std::size_t host = 1; host <= shape_.outside_hosts; ++host) add_outside(host);
    for (std::size_t node = 1; node <= shape_.nodes.size(); ++node) add_node(node);
    return std::move(plan_);
  }

 private:
  std::size_t add_host(PlannedHost host) {
    plan_.hosts.push_back(std::move(host));
    return plan_.hosts.size() - 1;
  }

  // The cable to the router of a host that has the second address of `net`.
  Cable& connect(std::size_t host, std::string (*net)(IpFamily, std::size_t), std::size_t number) {
    Cable cable{.near = {.host = router_, .device = plan_.hosts[host].name},
                .far = {.host = host, .device = "eth0"}};
    for (const IpFamily family : kFamilies) {
      const IpAddress one = address(net(family, number) + "1");
      const IpAddress two = address(net(family, number) + "2");
      const std::uint8_t length = is_v4(family) ? 24 : 64;
      cable.near.addresses.push_back({one, length});
      cable.far.addresses.push_back({two, length});
      cable.far.routes.push_back({everything(family), one, "eth0"});
      (is_v4(family) ? plan_.hosts[host].v4 : plan_.hosts[host].v6) = two;
    }
    plan_.cables.push_back(std::move(cable));
    return plan_.cables.back();
  }

  void add_outside(std::size_t number) {
    const std::size_t host =
        add_host({.name = "outside-" + std::to_string(number), .kind = HostKind::Outside});
    connect(host, outside_net, number);
  }

  void add_node(std::size_t number) {
    const NodeShape& shape = shape_.nodes[number - 1];
    const std::string name = "node-" + std::to_string(number);
    const std::size_t node = add_host({.name = name, .kind = HostKind::Node, .zone = shape.zone});
    CableEnd& router = connect(node, node_net, number).near;
    for (const IpFamily family : kFamilies) {
      const IpAddress via = address(node_net(family, number) + "2");
      router.routes.push_back({pods_of_node(family, number), via, name});
      if (number > 1) continue;
      router.routes.push_back({service_range(family), via, name});
      router.routes.push_back({balancer_range(family), via, name});
    }
    for (std::size_t pod = 1; pod <= shape.pods; ++pod) add_pod(node, number, pod);
  }

  void add_pod(std::size_t node, std::size_t node_number, std::size_t number) {
    const std::string name = "pod-" + std::to_string(node_number) + "-" + std::to_string(number);
    const std::size_t pod = add_host({.name = name,
                                      .kind = HostKind::Pod,
                                      .zone = plan_.hosts[node].zone,
                                      .node = plan_.hosts[node].name});
    Cable cable{.near = {.host = node, .device = "pod" + std::to_string(number)},
                .far = {.host = pod, .device = "eth0"}};
    for (const IpFamily family : kFamilies) {
      const IpAddress gateway = pod_gateway(family);
      const IpAddress own = address(pod_net(family, node_number) + std::to_string(9 + number));
      const auto link_length = static_cast<std::uint8_t>(is_v4(family) ? 32 : 64);
      cable.near.addresses.push_back({gateway, link_length, DeviceAddress::Reach::Link});
      cable.near.routes.push_back({IpPrefix(own), {}, cable.near.device});
      cable.far.addresses.push_back({own, whole(family)});
      cable.far.routes.push_back({IpPrefix(gateway), {}, "eth0"});
      cable.far.routes.push_back({everything(family), gateway, "eth0"});
      (is_v4(family) ? plan_.hosts[pod].v4 : plan_.hosts[pod].v6) = own;
    }
    plan_.cables.push_back(std::move(cable));
  }

  const ClusterShape& shape_;
  ClusterPlan plan_;
  std::size_t router_ = 0;
};

}  // namespace

std::string_view to_text(HostKind kind) {
  switch (kind) {
    case HostKind::Router:
      return "router";
    case HostKind::Outside:
      return "outside";
    case HostKind::Node:
      return "node";
    case HostKind::Pod:
      return "pod";
  }
  PROXIMA_CHECK(false);
}

Result<ClusterPlan> plan_cluster(const ClusterShape& shape) {
  if (shape.nodes.empty()) return Error{ErrorCode::InvalidInput, "a cluster needs a node"};
  if (shape.nodes.size() > kNodesMax || shape.outside_hosts > kOutsideHostsMax)
    return Error{ErrorCode::InvalidInput, "at most 100 nodes and 100 hosts outside"};
  for (const NodeShape& node : shape.nodes)
    if (node.pods > kPodsOfANodeMax)
      return Error{ErrorCode::InvalidInput, "at most 100 Pods a node"};
  return Planner(shape).plan();
}

IpPrefix service_range(IpFamily family) {
  return prefix(is_v4(family) ? "172.30.0.0/16" : "fd00:172:30::/112");
}
IpPrefix balancer_range(IpFamily family) {
  return prefix(is_v4(family) ? "198.18.0.0/16" : "2001:db8:198:18::/64");
}
IpPrefix pod_range(IpFamily family) {
  return prefix(is_v4(family) ? "10.180.0.0/16" : "fd00:10:180::/48");
}

}  // namespace proxima::lab
