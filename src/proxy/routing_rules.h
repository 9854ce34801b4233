// SPDX-License-Identifier: Apache-2.0
// What holds for all services of one address family on this node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ip_prefix.h"
#include "proxy/local_detector.h"

namespace proxima::proxy {

// On which addresses of this node node ports answer.
struct NodePortAddresses {
  // False: on all that are local and not loopback, whichever come and go.
  bool restricted = false;
  std::vector<IpAddress> addresses;  // ascending; only when restricted
  friend bool operator==(const NodePortAddresses&, const NodePortAddresses&) = default;
};

struct RoutingRules {
  IpFamily family = IpFamily::V4;
  std::optional<LocalDetector> detector;  // none: nobody can tell a Pod's traffic from others'
  bool masquerade_all = false;            // everything to cluster addresses
  NodePortAddresses node_ports;
  // Where cluster addresses come from: what is not given to a Service there is dropped.
  std::vector<IpPrefix> service_ranges;
  // The node's own first address of the family, which source ranges of load balancers are held
  // against.
  std::optional<IpAddress> node_address;
  // All addresses of this node that a Service could name as external ones, ascending. Such a
  // Service would take ports of the node, SSH's for one. Empty: it may.
  std::vector<IpAddress> own_addresses;
  friend bool operator==(const RoutingRules&, const RoutingRules&) = default;
};

// Rules that differ in own_addresses at most concern the same packets to other addresses.
bool same_but_own_addresses(const RoutingRules& a, RoutingRules b);

struct ProxyConfig;

// What the node and the cluster contribute to the rules.
struct NodeFacts {
  std::vector<IpAddress> node_addresses;    // of the Node object, see NodeView
  std::vector<std::string> pod_ranges;      // of the Node object
  std::vector<IpAddress> local_addresses;   // that the host has
  std::vector<std::string> service_ranges;  // of all ServiceCIDRs, of both families
};

RoutingRules routing_rules(const ProxyConfig& config, IpFamily family, const NodeFacts& facts);

}  // namespace proxima::proxy
