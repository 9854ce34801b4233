// SPDX-License-Identifier: Apache-2.0
// The cables of a lab as values: which devices, addresses and routes their two ends have. Hosts
// have numbers, and a number gives the addresses. Pure.
//
//   outside host M     203.0.(112+M).2    2001:db8:M::2
//   router             192.168.0.1        fd00:192:168::1
//   node N             192.168.N.2        fd00:192:168:N::2
//   Pod P of node N    10.180.N.(9+P)     fd00:10:180:N::(9+P)
#pragma once

#include <string>
#include <vector>

#include "lab/route_socket.h"

namespace proxima::lab {

struct HostAddresses {
  IpAddress v4;
  IpAddress v6;
};

struct CableEnd {
  std::string device;
  int index;  // the device's number
  std::vector<DeviceAddress> addresses;
  std::vector<Route> routes;
};

struct Cable {
  CableEnd near;
  CableEnd far;
  HostAddresses far_host;  // what the host at the far end is reached by
};

// The highest number of a node, and of a Pod of a node, that the addresses have room for.
inline constexpr std::size_t kHostNumberMax = 240;

// Near: the router. Numbers begin with 1.
Cable cable_to_outside(std::size_t number);
// The router knows the way to the node's Pods.
Cable cable_to_node(std::size_t number);
// Near: the node.
Cable cable_to_pod(std::size_t node, std::size_t number);

// The router's own, on no cable: the same for every host, whoever comes and goes.
HostAddresses router_addresses();

// Where Services of the lab have their addresses.
IpPrefix service_range(IpFamily family);
IpPrefix balancer_range(IpFamily family);
// Every Pod's address is in it.
IpPrefix pod_range(IpFamily family);

}  // namespace proxima::lab
