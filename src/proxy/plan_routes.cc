// SPDX-License-Identifier: Apache-2.0
#include "proxy/plan_routes.h"

#include <algorithm>
#include <set>

#include "proxy/choose_backends.h"
#include "proxy/slice_split.h"

namespace proxima::proxy {
namespace {

std::vector<BackendAddress> serving_addresses(std::span<const ServiceEndpoint> endpoints) {
  std::vector<BackendAddress> serving;
  for (const ServiceEndpoint& endpoint : endpoints) {
    if (endpoint.serving) serving.push_back({endpoint.address, endpoint.port});
  }
  return serving;
}

std::uint32_t count_local_ready(const std::vector<PortEndpoints>& ports) {
  std::set<IpAddress> addresses;
  for (const PortEndpoints& port : ports) {
    for (const ServiceEndpoint& endpoint : port.endpoints) {
      if (endpoint.local && endpoint.ready) addresses.insert(endpoint.address);
    }
  }
  return static_cast<std::uint32_t>(addresses.size());
}

// A load balancer's address is often a local one on every node. A request from the node then comes
// back with that address as its source, and must be let in where the node itself is.
std::vector<IpPrefix> allowed_sources(const ServicePort& port, const RoutingRules& rules) {
  if (port.load_balancer_ips.empty()) return {};
  std::vector<IpPrefix> allowed = port.source_ranges;
  const bool node_is_inside =
      rules.node_address && std::any_of(allowed.begin(), allowed.end(), [&](const IpPrefix& range) {
        return range.contains(*rules.node_address);
      });
  if (node_is_inside) {
    for (const IpAddress& address : port.load_balancer_ips) allowed.emplace_back(address);
  }
  return allowed;
}

// See RoutingRules::own_addresses.
void refuse_own_addresses(ServicePort& port, const RoutingRules& rules) {
  const auto is_own = [&](const IpAddress& address) {
    return std::binary_search(rules.own_addresses.begin(), rules.own_addresses.end(), address);
  };
  const auto refused =
      std::stable_partition(port.external_ips.begin(), port.external_ips.end(),
                            [&](const IpAddress& address) { return !is_own(address); });
  port.refused_ips.assign(refused, port.external_ips.end());
  port.external_ips.erase(refused, port.external_ips.end());
}

// Keys that a Namespace or the cluster asks for are known to who publishes the slices.
RoutingWish with_published_keys(const RoutingWish& wish, const SliceSplit& split) {
  if (split.keys.empty() || !wish.follows_keys || wish.kind == RoutingWish::Kind::TopologyKeys)
    return wish;
  RoutingWish published = wish;
  published.kind = RoutingWish::Kind::TopologyKeys;
  published.keys = split.keys;
  return published;
}

Ref<PortRoutes> plan_port(ServicePort port, std::span<const ServiceEndpoint> endpoints,
                          const ServiceInput& input, const SliceSplit& split) {
  const RoutingWish wish = with_published_keys(input.wish, split);
  BackendChoice choice = choose_backends({.port = port,
                                          .endpoints = endpoints,
                                          .node = input.node,
                                          .wish = wish,
                                          .has_split = split.present,
                                          .split = split.row ? &*split.row : nullptr,
                                          .unreadable_split = split.unreadable,
                                          .uses_hints = wish.uses_hints,
                                          .ignores_health = split.ignores_health,
                                          .split_is_failover = split.requires_zone});
  auto routes = make_ref<PortRoutes>();
  routes->cluster = std::move(choice.cluster);
  routes->local = std::move(choice.local);
  routes->has_any = choice.has_any;
  routes->has_internal = choice.has_any && !(port.internal_policy_local && routes->local.empty());
  routes->has_external = choice.has_any && !(port.external_policy_local && routes->local.empty());
  routes->why = choice.why;
  routes->why_local = choice.why_local;
  routes->allowed_sources = allowed_sources(port, input.rules);
  if (port.key.protocol == kube::Protocol::Udp) routes->serving = serving_addresses(endpoints);
  routes->port = std::move(port);
  return routes;
}

// Cluster addresses belong to the cluster: who is not known to be a Pod of it needs the node's
// address to get an answer back.
Handling internal_handling(const PortRoutes& routes, const RoutingRules& rules, Source source) {
  Handling handling;
  handling.masquerade = rules.masquerade_all || (rules.detector && source != Source::Pod);
  if (!routes.has_any) return {.action = Action::Reject};
  if (!routes.has_internal) return {.action = Action::Drop};
  handling.action = routes.port.internal_policy_local ? Action::Local : Action::Cluster;
  return handling;
}

// Policy Local keeps the client's address and therefore the traffic on the node. Pods and the node
// itself are inside already: for them it is as if they had gone out and come back in.
Handling external_handling(const PortRoutes& routes, const RoutingRules& rules, Source source) {
  if (!routes.has_any) return {.action = Action::Reject};
  if (!routes.port.external_policy_local) return {.action = Action::Cluster, .masquerade = true};
  if (source == Source::Pod && rules.detector) return {.action = Action::Cluster};
  // The node chose the service's own address as its source where that is local.
  if (source == Source::Node) return {.action = Action::Cluster, .masquerade = true};
  return {.action = routes.has_external ? Action::Local : Action::Drop};
}

Handling handling_of(const PortRoutes& routes, const RoutingRules& rules, FrontendKind kind,
                     Source source) {
  const Handling handling = kind == FrontendKind::ClusterIp
                                ? internal_handling(routes, rules, source)
                                : external_handling(routes, rules, source);
  // Topology keys with a strict end leave nothing though endpoints are there.
  if (handling.action == Action::Cluster && routes.cluster.empty())
    return {.action = Action::Reject};
  return handling;
}

FrontendRouteRef frontend(const PortRoutes& routes, const RoutingRules& rules, FrontendKind kind,
                          const Frontend& at) {
  auto route = make_ref<FrontendRoute>();
  route->at = at;
  route->kind = kind;
  route->port = routes.port.key;
  route->filtered = kind == FrontendKind::LoadBalancer && !routes.allowed_sources.empty();
  for (std::size_t source = 0; source < kSources; ++source)
    route->by_source[source] = handling_of(routes, rules, kind, static_cast<Source>(source));
  return route;
}

}  // namespace

std::vector<PortRoutesRef> plan_service(const ServiceInput& input) {
  std::vector<ServicePort> ports = service_ports(input.service, input.rules.family, input.options);
  if (ports.empty()) return {};
  const auto endpoints = list_endpoints(input.slices, input.rules.family, input.node);
  const SliceSplit split = slice_split(input.slices, input.rules.family, input.node);
  const std::uint32_t local_ready = count_local_ready(endpoints);
  std::vector<PortRoutesRef> planned;
  planned.reserve(ports.size());
  for (ServicePort& port : ports) {
    refuse_own_addresses(port, input.rules);
    const PortEndpoints* found = find_port(endpoints, port.key.port, port.key.protocol);
    const auto behind = found == nullptr ? std::span<const ServiceEndpoint>() : found->endpoints;
    const auto routes = plan_port(std::move(port), behind, input, split);
    routes->local_ready = local_ready;
    planned.push_back(routes);
  }
  std::reverse(planned.begin(), planned.end());
  std::stable_sort(
      planned.begin(), planned.end(),
      [](const PortRoutesRef& a, const PortRoutesRef& b) { return ByPort::less(*a, *b); });
  planned.erase(std::unique(planned.begin(), planned.end(),
                            [](const PortRoutesRef& a, const PortRoutesRef& b) {
                              return a->port.key == b->port.key;
                            }),
                planned.end());
  return planned;
}

std::vector<FrontendRouteRef> plan_frontends(const PortRoutes& routes, const RoutingRules& rules) {
  const ServicePort& port = routes.port;
  std::vector<FrontendRouteRef> planned;
  const auto add = [&](FrontendKind kind, const IpAddress& address) {
    planned.push_back(frontend(routes, rules, kind,
                               {.scope = Frontend::Scope::Address,
                                .address = address,
                                .protocol = port.key.protocol,
                                .port = port.port}));
  };
  add(FrontendKind::ClusterIp, port.cluster_ip);
  for (const IpAddress& address : port.load_balancer_ips) add(FrontendKind::LoadBalancer, address);
  for (const IpAddress& address : port.external_ips) add(FrontendKind::ExternalIp, address);
  if (port.node_port != 0)
    planned.push_back(frontend(routes, rules, FrontendKind::NodePort,
                               {.scope = Frontend::Scope::NodePort,
                                .address = {},
                                .protocol = port.key.protocol,
                                .port = port.node_port}));
  return planned;
}

}  // namespace proxima::proxy
