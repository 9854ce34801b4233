// SPDX-License-Identifier: Apache-2.0
// On which addresses node ports answer: --nodeport-addresses held against what the node has.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/ip_prefix.h"
#include "proxy/routing_rules.h"

namespace proxima::proxy {

inline constexpr std::string_view kPrimaryNodePortAddresses = "primary";

// First the internal, then the external addresses of a Node; the first one decides the primary
// family, and the first of the other family is the secondary one. Loopback addresses do not count.
struct NodeIps {
  std::optional<IpAddress> v4;
  std::optional<IpAddress> v6;

  const std::optional<IpAddress>& of(IpFamily family) const {
    return family == IpFamily::V4 ? v4 : v6;
  }
};
NodeIps node_ips(std::span<const IpAddress> addresses);

// `setting`: valid ranges, or the one word "primary". A family without a range of its own is not
// restricted, even where the other one is; nor is one with a range of everything.
NodePortAddresses node_port_addresses(std::span<const std::string> setting, IpFamily family,
                                      const NodeIps& node, std::span<const IpAddress> local);

bool is_loopback(const IpAddress& address);

}  // namespace proxima::proxy
