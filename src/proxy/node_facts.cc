// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_facts.h"

namespace proxima::proxy {
namespace {

bool is_unspecified(const IpAddress& address) {
  return address == IpAddress() || address == IpAddress::from_bytes(IpFamily::V6, {});
}

}  // namespace

void KnownNode::look(const ProxyIntake& intake) {
  const auto node = intake.nodes.snapshot().find({{}, name_});
  if (!node) return;
  known_ = true;
  view_ = node_view(*node);
  pod_ranges_.clear();
  for (const Text& range : node->pod_cidrs) pod_ranges_.emplace_back(range.view());
}

NodeFacts node_facts(const ProxyConfig& config, const KnownNode& node, const ProxyIntake& intake,
                     std::vector<IpAddress> local) {
  NodeFacts facts;
  // The flag is stronger than what the Node says of itself.
  const auto bind = IpAddress::parse(config.bind_address);
  if (bind && !is_unspecified(*bind)) facts.node_addresses.push_back(*bind);
  facts.node_addresses.insert(facts.node_addresses.end(), node.view().addresses.begin(),
                              node.view().addresses.end());
  facts.pod_ranges = node.pod_ranges();
  facts.local_addresses = std::move(local);
  intake.ranges.snapshot().each([&](const auto& record) {
    for (const Text& range : record->cidrs) facts.service_ranges.emplace_back(range.view());
  });
  return facts;
}

}  // namespace proxima::proxy
