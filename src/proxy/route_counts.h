// SPDX-License-Identifier: Apache-2.0
// Figures over a route table for metrics, kept up to date from its changes.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/policy/reason.h"
#include "proxy/route_changes.h"

namespace proxima::proxy {

struct RouteCounts {
  std::map<policy::Reason, std::uint64_t> ports_by_reason;  // none is 0
  // Ports that drop traffic because none of their endpoints is on this node.
  std::uint64_t no_local_internal = 0;
  std::uint64_t no_local_external = 0;
  std::uint64_t ports = 0;
  std::uint64_t backends = 0;  // of cluster-wide traffic
  // Services with a plan that cannot be read: how many ports of each.
  std::map<std::pair<Text, Text>, std::uint32_t> unreadable;

  // Changes in the order in which they happened, from an empty table on.
  void apply(const RouteChanges& changes);
  friend bool operator==(const RouteCounts&, const RouteCounts&) = default;
};

}  // namespace proxima::proxy
