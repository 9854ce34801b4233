// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_port_addresses.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

std::vector<IpPrefix> ranges_of(std::span<const std::string> setting, IpFamily family,
                                const NodeIps& node) {
  std::vector<IpPrefix> ranges;
  for (const std::string& text : setting) {
    if (text == kPrimaryNodePortAddresses) {
      if (node.of(family)) ranges.emplace_back(*node.of(family));
      continue;
    }
    const auto range = IpPrefix::parse(text);
    if (range && range->family() == family) ranges.push_back(*range);
  }
  return ranges;
}

}  // namespace

bool is_loopback(const IpAddress& address) {
  static const IpPrefix loopback_v4 = IpPrefix::parse("127.0.0.0/8").value();
  static const IpPrefix loopback_v6 = IpPrefix::parse("::1/128").value();
  return loopback_v4.contains(address) || loopback_v6.contains(address);
}

NodeIps node_ips(std::span<const IpAddress> addresses) {
  NodeIps ips;
  for (const IpAddress& address : addresses) {
    if (is_loopback(address)) continue;
    auto& slot = address.family() == IpFamily::V4 ? ips.v4 : ips.v6;
    if (!slot) slot = address;
  }
  return ips;
}

NodePortAddresses node_port_addresses(std::span<const std::string> setting, IpFamily family,
                                      const NodeIps& node, std::span<const IpAddress> local) {
  const std::vector<IpPrefix> ranges = ranges_of(setting, family, node);
  const bool everything = std::any_of(ranges.begin(), ranges.end(),
                                      [](const IpPrefix& range) { return range.length() == 0; });
  if (ranges.empty() || everything) return {};
  NodePortAddresses chosen{.restricted = true, .addresses = {}};
  for (const IpAddress& address : local) {
    const bool inside = std::any_of(ranges.begin(), ranges.end(),
                                    [&](const IpPrefix& range) { return range.contains(address); });
    if (inside && !is_loopback(address)) chosen.addresses.push_back(address);
  }
  std::sort(chosen.addresses.begin(), chosen.addresses.end());
  const auto end = std::unique(chosen.addresses.begin(), chosen.addresses.end());
  chosen.addresses.erase(end, chosen.addresses.end());
  return chosen;
}

}  // namespace proxima::proxy
