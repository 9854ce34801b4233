// SPDX-License-Identifier: Apache-2.0
#include "proxy/packet_trace.h"

#include <algorithm>

#include "proxy/node_port_addresses.h"

namespace proxima::proxy {
namespace {

bool contains(std::span<const IpAddress> addresses, const IpAddress& address) {
  return std::find(addresses.begin(), addresses.end(), address) != addresses.end();
}

Source source_of(const RoutingRules& rules, std::span<const IpAddress> local_addresses,
                 const Packet& packet) {
  if (rules.detector && rules.detector->is_pod(packet.source, packet.input_interface))
    return Source::Pod;
  return contains(local_addresses, packet.source) ? Source::Node : Source::Outside;
}

bool is_node_port_address(const RoutingRules& rules, std::span<const IpAddress> local_addresses,
                          const IpAddress& address) {
  if (rules.node_ports.restricted) return contains(rules.node_ports.addresses, address);
  return contains(local_addresses, address) && !is_loopback(address);
}

// A service address first, then a node port.
FrontendRouteRef find_frontend(const RouteTable& table, std::span<const IpAddress> local_addresses,
                               const Packet& packet) {
  auto route = table.in_force({.scope = Frontend::Scope::Address,
                               .address = packet.destination,
                               .protocol = packet.protocol,
                               .port = packet.port});
  if (route || !is_node_port_address(table.rules, local_addresses, packet.destination))
    return route;
  return table.in_force({.scope = Frontend::Scope::NodePort,
                         .address = {},
                         .protocol = packet.protocol,
                         .port = packet.port});
}

PacketFate without_frontend(const RouteTable& table, const IpAddress& destination) {
  if (table.is_cluster_ip(destination)) return {.kind = PacketFate::Kind::Reject, .targets = {}};
  const auto& ranges = table.rules.service_ranges;
  const bool unused = std::any_of(ranges.begin(), ranges.end(), [&](const IpPrefix& range) {
    return range.contains(destination);
  });
  return {.kind = unused ? PacketFate::Kind::Drop : PacketFate::Kind::Pass, .targets = {}};
}

// A Pod that reaches itself through a service would see its own address as the client's and answer
// past the translation.
std::vector<PacketTarget> targets_of(const Backends& backends, const Packet& packet,
                                     bool masquerade) {
  std::vector<PacketTarget> targets;
  for (const Backend& backend : backends) {
    const bool to_itself = backend.local && backend.at.address == packet.source;
    targets.push_back({backend.at, masquerade || to_itself, backend.weight});
  }
  return targets;
}

PacketFate follow(const PortRoutes& routes, const Handling& handling, const Packet& packet) {
  switch (handling.action) {
    case Action::Reject:
      return {.kind = PacketFate::Kind::Reject, .targets = {}};
    case Action::Drop:
      return {.kind = PacketFate::Kind::Drop, .targets = {}};
    case Action::Cluster:
    case Action::Local:
      break;
  }
  const Backends& backends = handling.action == Action::Local ? routes.local : routes.cluster;
  return {.kind = PacketFate::Kind::Deliver,
          .targets = targets_of(backends, packet, handling.masquerade)};
}

}  // namespace

std::string to_text(const PacketFate& fate) {
  switch (fate.kind) {
    case PacketFate::Kind::Pass:
      return "pass";
    case PacketFate::Kind::Reject:
      return "reject";
    case PacketFate::Kind::Drop:
      return "drop";
    case PacketFate::Kind::Deliver:
      break;
  }
  std::string text;
  for (const PacketTarget& target : fate.targets) {
    const IpAddress& address = target.at.address;
    const bool is_v6 = address.family() == IpFamily::V6;
    text += (text.empty() ? "" : ", ") + (is_v6 ? "[" + address.text() + "]" : address.text()) +
            ":" + std::to_string(target.at.port) + (target.masquerade ? " masqueraded" : "");
  }
  return text;
}

PacketFate trace(const RouteTable& table, std::span<const IpAddress> local_addresses,
                 const Packet& packet) {
  const FrontendRouteRef frontend = find_frontend(table, local_addresses, packet);
  if (!frontend) return without_frontend(table, packet.destination);
  const PortRoutes* routes = table.ports.find(frontend->port);
  PROXIMA_CHECK(routes != nullptr);
  const auto& allowed = routes->allowed_sources;
  const bool is_allowed = std::any_of(allowed.begin(), allowed.end(), [&](const IpPrefix& range) {
    return range.contains(packet.source);
  });
  if (frontend->filtered && !is_allowed) return {.kind = PacketFate::Kind::Drop, .targets = {}};
  const Source source = source_of(table.rules, local_addresses, packet);
  return follow(*routes, frontend->from(source), packet);
}

}  // namespace proxima::proxy
