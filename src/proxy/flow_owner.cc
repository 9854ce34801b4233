// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_owner.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;

std::optional<kube::Protocol> protocol_of(std::uint8_t number) {
  switch (number) {
    case dataplane::kProtocolTcp:
      return kube::Protocol::Tcp;
    case dataplane::kProtocolUdp:
      return kube::Protocol::Udp;
    case dataplane::kProtocolSctp:
      return kube::Protocol::Sctp;
    default:
      return std::nullopt;
  }
}

bool holds(const std::vector<IpAddress>& ascending, const IpAddress& address) {
  return std::binary_search(ascending.begin(), ascending.end(), address);
}

bool answers_node_ports(const FlowView& view, const RoutingRules& rules, const IpAddress& address) {
  return rules.node_ports.restricted ? holds(rules.node_ports.addresses, address)
                                     : holds(view.local_addresses, address);
}

FrontendRouteRef route_of(const FlowView& view, const RouteTable& table, kube::Protocol protocol,
                          const dataplane::ConntrackEnd& destination) {
  const Frontend address{.scope = Frontend::Scope::Address,
                         .address = destination.address,
                         .protocol = protocol,
                         .port = destination.port};
  FrontendRouteRef route = table.in_force(address);
  if (route || !answers_node_ports(view, table.rules, destination.address)) return route;
  return table.in_force(
      {.scope = Frontend::Scope::NodePort, .protocol = protocol, .port = destination.port});
}

const Backend* find_backend(const Backends& backends, const BackendAddress& at) {
  const auto found =
      std::lower_bound(backends.begin(), backends.end(), at,
                       [](const Backend& a, const BackendAddress& b) { return a.at < b; });
  return found != backends.end() && found->at == at ? &*found : nullptr;
}

bool is_pod_here(const RoutingRules& rules, const FrontendRoute& route, const IpAddress& source) {
  if (rules.detector && rules.detector->by == LocalDetector::By::SourceRange) {
    return rules.detector->range.contains(source);
  }
  return route.kind == FrontendKind::ClusterIp;
}

Text zone_or_unknown(const Text& zone) {
  static const Text unknown{kUnknownZone};
  return zone.view().empty() ? unknown : zone;
}

Text source_zone(const FlowView& view, const RoutingRules& rules, const FrontendRoute& route,
                 const IpAddress& source) {
  static const Text outside{kOutsideZone};
  if (holds(view.local_addresses, source) || is_pod_here(rules, route, source)) {
    return zone_or_unknown(view.node_zone);
  }
  return outside;
}

}  // namespace

const RouteTable* FlowView::table(IpFamily family) const {
  for (const RouteTable& table : tables) {
    if (table.rules.family == family) return &table;
  }
  return nullptr;
}

std::optional<FlowOwner> flow_owner(const FlowView& view, const ConntrackEntry& entry) {
  const IpAddress& source = entry.original.source.address;
  const std::optional<kube::Protocol> protocol = protocol_of(entry.original.protocol);
  const RouteTable* table = view.table(source.family());
  if (!protocol || table == nullptr) return std::nullopt;
  const FrontendRouteRef route = route_of(view, *table, *protocol, entry.original.destination);
  if (!route) return std::nullopt;
  FlowOwner owner{.port = route->port,
                  .source_zone = source_zone(view, table->rules, *route, source),
                  .target_zone = zone_or_unknown({}),
                  .backend = {entry.reply.source.address, entry.reply.source.port}};
  const PortRoutes* port = table->ports.find(route->port);
  if (port == nullptr) return owner;
  const Backend* backend = find_backend(port->cluster, owner.backend);
  if (backend == nullptr) backend = find_backend(port->local, owner.backend);
  owner.backend_known = backend != nullptr;
  if (backend != nullptr) owner.target_zone = zone_or_unknown(backend->zone);
  return owner;
}

}  // namespace proxima::proxy
