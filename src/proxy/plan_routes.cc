// SPDX-License-Identifier: Apache-2.0
#include "proxy/plan_routes.h"

#include <algorithm>
#include <set>
#include <tuple>

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

void add_local_ready(std::span<const ServiceEndpoint> endpoints, std::set<IpAddress>& addresses) {
  for (const ServiceEndpoint& endpoint : endpoints) {
    if (endpoint.local && endpoint.ready) addresses.insert(endpoint.address);
  }
}

// Ascending; of ports with equal keys the last one.
std::vector<ServicePort> each_key_once(std::vector<ServicePort> ports) {
  std::reverse(ports.begin(), ports.end());
  std::stable_sort(ports.begin(), ports.end(),
                   [](const ServicePort& a, const ServicePort& b) { return a.key < b.key; });
  const auto equal = [](const ServicePort& a, const ServicePort& b) { return a.key == b.key; };
  ports.erase(std::unique(ports.begin(), ports.end(), equal), ports.end());
  return ports;
}

// What all ports of the Service have in common.
struct CommonLists {
  SharedList<IpAddress> external_ips;
  SharedList<IpAddress> refused_ips;
  SharedList<IpPrefix> allowed_sources;
};

// A load balancer's address is often a local one on every node. A request from the node then comes
// back with that address as its source, and must be let in where the node itself is.
SharedList<IpPrefix> allowed_sources(const ServicePort& port, const RoutingRules& rules) {
  if (port.load_balancer_ips.empty()) return {};
  std::vector<IpPrefix> allowed(port.source_ranges.begin(), port.source_ranges.end());
  const bool node_is_inside =
      rules.node_address && std::any_of(allowed.begin(), allowed.end(), [&](const IpPrefix& range) {
        return range.contains(*rules.node_address);
      });
  if (!node_is_inside) return port.source_ranges;
  for (const IpAddress& address : port.load_balancer_ips) allowed.emplace_back(address);
  return allowed;
}

// See RoutingRules::own_addresses.
CommonLists common_lists(const ServicePort& port, const RoutingRules& rules) {
  std::vector<IpAddress> external;
  std::vector<IpAddress> refused;
  for (const IpAddress& address : port.external_ips) {
    const bool is_own =
        std::binary_search(rules.own_addresses.begin(), rules.own_addresses.end(), address);
    (is_own ? refused : external).push_back(address);
  }
  return {.external_ips = std::move(external),
          .refused_ips = std::move(refused),
          .allowed_sources = allowed_sources(port, rules)};
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

struct ServicePlan {
  const ServiceInput& input;
  SliceSplit split;
  CommonLists lists;
};

bool is_before(const ServicePort& port, const PortEndpoints& behind) {
  return std::tie(port.key.port, port.key.protocol) < std::tie(behind.name, behind.protocol);
}

bool is_behind(const PortEndpoints& behind, const ServicePort& port) {
  return port.key.port == behind.name && port.key.protocol == behind.protocol;
}

Ref<PortRoutes> plan_port(ServicePort port, std::span<const ServiceEndpoint> endpoints,
                          const ServicePlan& plan) {
  const ServiceInput& input = plan.input;
  const SliceSplit& split = plan.split;
  const RoutingWish wish = with_published_keys(input.wish, split);
  port.external_ips = plan.lists.external_ips;
  port.refused_ips = plan.lists.refused_ips;
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
  routes->allowed_sources = plan.lists.allowed_sources;
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
  const std::vector<ServicePort> ports =
      each_key_once(service_ports(input.service, input.rules.family, input.options));
  if (ports.empty()) return {};
  const ServicePlan plan{.input = input,
                         .split = slice_split(input.slices, input.rules.family, input.node),
                         .lists = common_lists(ports.front(), input.rules)};
  std::vector<Ref<PortRoutes>> planned(ports.size());
  std::set<IpAddress> local_ready;
  each_port(input.slices, input.rules.family, input.node, [&](const PortEndpoints& behind) {
    add_local_ready(behind.endpoints, local_ready);
    const auto at = std::lower_bound(ports.begin(), ports.end(), behind, is_before);
    if (at == ports.end() || !is_behind(behind, *at)) return;
    planned[static_cast<std::size_t>(at - ports.begin())] = plan_port(*at, behind.endpoints, plan);
  });
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (!planned[i]) planned[i] = plan_port(ports[i], {}, plan);
    planned[i]->local_ready = static_cast<std::uint32_t>(local_ready.size());
  }
  return {planned.begin(), planned.end()};
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
