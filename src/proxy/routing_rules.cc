// SPDX-License-Identifier: Apache-2.0
#include "proxy/routing_rules.h"

#include <algorithm>

#include "proxy/node_port_addresses.h"
#include "proxy/proxy_config.h"

namespace proxima::proxy {

RoutingRules routing_rules(const ProxyConfig& config, IpFamily family, const NodeFacts& facts) {
  const NodeIps node = node_ips(facts.node_addresses);
  RoutingRules rules;
  rules.family = family;
  rules.detector = local_detector(config, family, facts.pod_ranges);
  rules.masquerade_all = config.masquerade_all;
  rules.node_ports =
      node_port_addresses(config.node_port_addresses, family, node, facts.local_addresses);
  rules.node_address = node.of(family);
  for (const std::string& text : facts.service_ranges) {
    const auto range = IpPrefix::parse(text);
    if (range && range->family() == family) rules.service_ranges.push_back(*range);
  }
  std::sort(rules.service_ranges.begin(), rules.service_ranges.end());
  return rules;
}

}  // namespace proxima::proxy
