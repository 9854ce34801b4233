// SPDX-License-Identifier: Apache-2.0
#include "lab/cable_plan.h"

#include <array>

namespace proxima::lab {
namespace {

constexpr std::array kFamilies = {IpFamily::V4, IpFamily::V6};

// Numbers of devices: the loopback device is 1, the way out 2.
constexpr int kFarIndex = 2;
constexpr int kFirstOutsideIndex = 1000;
constexpr int kFirstNodeIndex = 2000;
constexpr int kFirstPodIndex = 3000;

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

IpAddress& of(HostAddresses& addresses, IpFamily family) {
  return is_v4(family) ? addresses.v4 : addresses.v6;
}

// The cable to the router of a host that has the second address of its net.
Cable cable_to_router(const std::string& kind, std::string (*net)(IpFamily, std::size_t),
                      std::size_t number) {
  const int first = kind == "node-" ? kFirstNodeIndex : kFirstOutsideIndex;
  Cable cable{
      .near = {.device = kind + std::to_string(number), .index = first + static_cast<int>(number)},
      .far = {.device = "eth0", .index = kFarIndex}};
  for (const IpFamily family : kFamilies) {
    const IpAddress one = address(net(family, number) + "1");
    const IpAddress two = address(net(family, number) + "2");
    const std::uint8_t length = is_v4(family) ? 24 : 64;
    cable.near.addresses.push_back({one, length});
    cable.far.addresses.push_back({two, length});
    cable.far.routes.push_back({everything(family), one, "eth0"});
    of(cable.far_host, family) = two;
  }
  return cable;
}

}  // namespace

Cable cable_to_outside(std::size_t number) {
  return cable_to_router("outside-", outside_net, number);
}

Cable cable_to_node(std::size_t number) {
  Cable cable = cable_to_router("node-", node_net, number);
  for (const IpFamily family : kFamilies)
    cable.near.routes.push_back(
        {pods_of_node(family, number), of(cable.far_host, family), cable.near.device});
  return cable;
}

Cable cable_to_pod(std::size_t node, std::size_t number) {
  Cable cable{.near = {.device = "pod" + std::to_string(number),
                       .index = kFirstPodIndex + static_cast<int>(number)},
              .far = {.device = "eth0", .index = kFarIndex}};
  for (const IpFamily family : kFamilies) {
    const IpAddress gateway = pod_gateway(family);
    const IpAddress own = address(pod_net(family, node) + std::to_string(9 + number));
    const auto link_length = static_cast<std::uint8_t>(is_v4(family) ? 32 : 64);
    cable.near.addresses.push_back({gateway, link_length, DeviceAddress::Reach::Link});
    cable.near.routes.push_back({IpPrefix(own), {}, cable.near.device});
    cable.far.addresses.push_back({own, whole(family)});
    cable.far.routes.push_back({IpPrefix(gateway), {}, "eth0"});
    cable.far.routes.push_back({everything(family), gateway, "eth0"});
    of(cable.far_host, family) = own;
  }
  return cable;
}

HostAddresses router_addresses() {
  return {.v4 = address("192.168.0.1"), .v6 = address("fd00:192:168::1")};
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
