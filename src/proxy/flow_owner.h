// SPDX-License-Identifier: Apache-2.0
// Which service a tracked connection belongs to, between which zones it runs, and which endpoint
// has it. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dataplane/conntrack_entry.h"
#include "proxy/route_table.h"

namespace proxima::proxy {

// Where the zone of an end is not known, or it has none.
inline constexpr std::string_view kUnknownZone = "unknown";
// The zone of clients that are neither this node nor a Pod on it.
inline constexpr std::string_view kOutsideZone = "outside";

// What a node knows at one moment, to tell connections by. Cheap to copy.
struct FlowView {
  std::vector<RouteTable> tables;          // one a family
  Text node_zone;                          // none: unknown
  std::vector<IpAddress> local_addresses;  // of this node, ascending

  const RouteTable* table(IpFamily family) const;
};

struct FlowOwner {
  ServicePortKey port;
  Text source_zone;
  Text target_zone;
  BackendAddress backend;
  bool backend_known = false;  // it is among the port's backends in this view
};

// The source's zone is the node's own when it is an address of the node, or a Pod by the rules'
// detector. Where that looks at interfaces, which tracked connections do not have, whoever uses a
// cluster address is a Pod here. None: the connection is to no service of the view.
std::optional<FlowOwner> flow_owner(const FlowView& view, const dataplane::ConntrackEntry& entry);

}  // namespace proxima::proxy
