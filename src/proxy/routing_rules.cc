// SPDX-License-Identifier: Apache-2.0
#include "proxy/routing_rules.h"

#include <algorithm>

#include "proxy/node_port_addresses.h"
#include "proxy/proxy_config.h"

namespace proxima::proxy {
namespace {

// The API refuses external addresses that are loopback or link-local ones; every device of a Pod
// may have one of the latter, and they come and go with it.
bool can_be_external(const IpAddress& address) {
  static const IpPrefix link_local_v4 = IpPrefix::parse("169.254.0.0/16").value();
  static const IpPrefix link_local_v6 = IpPrefix::parse("fe80::/10").value();
  return !is_loopback(address) && !link_local_v4.contains(address) &&
         !link_local_v6.contains(address);
}

// What the host has, and what its Node says in case the host could not be asked.
std::vector<IpAddress> own_addresses(const NodeFacts& facts, IpFamily family) {
  std::vector<IpAddress> own;
  for (const auto* addresses : {&facts.local_addresses, &facts.node_addresses}) {
    for (const IpAddress& address : *addresses) {
      if (address.family() == family && can_be_external(address)) own.push_back(address);
    }
  }
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return own;
}

}  // namespace

bool same_but_own_addresses(const RoutingRules& a, RoutingRules b) {
  b.own_addresses = a.own_addresses;
  return a == b;
}

RoutingRules routing_rules(const ProxyConfig& config, IpFamily family, const NodeFacts& facts) {
  const NodeIps node = node_ips(facts.node_addresses);
  RoutingRules rules;
  rules.family = family;
  rules.detector = local_detector(config, family, facts.pod_ranges);
  rules.masquerade_all = config.masquerade_all;
  rules.node_ports =
      node_port_addresses(config.node_port_addresses, family, node, facts.local_addresses);
  rules.node_address = node.of(family);
  rules.own_addresses = own_addresses(facts, family);
  for (const std::string& text : facts.service_ranges) {
    const auto range = IpPrefix::parse(text);
    if (range && range->family() == family) rules.service_ranges.push_back(*range);
  }
  std::sort(rules.service_ranges.begin(), rules.service_ranges.end());
  return rules;
}

}  // namespace proxima::proxy
