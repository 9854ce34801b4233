// SPDX-License-Identifier: Apache-2.0
#include "proxy/stale_flows.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

// Null when the flow is to no service. A node port counts on any address: which ones were the
// node's when the flow began is not known.
const PortRoutes* service_of(const RouteTable& table, const BackendAddress& destination) {
  auto route = table.in_force({.scope = Frontend::Scope::Address,
                               .address = destination.address,
                               .protocol = kube::Protocol::Udp,
                               .port = destination.port});
  if (!route)
    route = table.in_force({.scope = Frontend::Scope::NodePort,
                            .address = {},
                            .protocol = kube::Protocol::Udp,
                            .port = destination.port});
  return route ? table.ports.find(route->port) : nullptr;
}

bool is_stale(const RouteTable& table, const TrackedFlow& flow) {
  const PortRoutes* routes = service_of(table, flow.original_destination);
  if (routes == nullptr || routes->serving.empty()) return false;
  return !std::binary_search(routes->serving.begin(), routes->serving.end(), flow.reply_source);
}

}  // namespace

std::vector<std::size_t> stale_flows(const RouteTable& table, std::span<const TrackedFlow> flows) {
  std::vector<std::size_t> stale;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (is_stale(table, flows[i])) stale.push_back(i);
  }
  return stale;
}

}  // namespace proxima::proxy
