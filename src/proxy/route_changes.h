// SPDX-License-Identifier: Apache-2.0
// What differs between two route tables, so that a kernel's state is changed there and nowhere
// else.
#pragma once

#include <vector>

#include "proxy/route_table.h"

namespace proxima::proxy {

// Null `before`: new. Null `after`: gone.
struct PortChange {
  PortRoutesRef before;
  PortRoutesRef after;
};

// Of the routes in force: a claim that another one stands before is as if it were not there.
struct FrontendChange {
  FrontendRouteRef before;
  FrontendRouteRef after;
};

struct RouteChanges {
  bool rules_changed = false;
  std::vector<PortChange> ports;           // by key
  std::vector<FrontendChange> frontends;   // by frontend
  std::vector<IpAddress> new_cluster_ips;  // ascending
  std::vector<IpAddress> old_cluster_ips;  // no longer any Service's; ascending

  bool empty() const {
    return !rules_changed && ports.empty() && frontends.empty() && new_cluster_ips.empty() &&
           old_cluster_ips.empty();
  }
  // Whether flows of UDP may have become stale.
  bool concern_udp() const;
};

// Costs what both tables cost together; NodeRoutes tells the same at the price of the change.
RouteChanges diff_routes(const RouteTable& before, const RouteTable& after);

// The same for tables that differ in some ports and at some frontends at most. Any order; doubles
// do no harm.
RouteChanges diff_routes_at(const RouteTable& before, const RouteTable& after,
                            std::vector<ServicePortKey> ports, std::vector<Frontend> frontends);

}  // namespace proxima::proxy
