// SPDX-License-Identifier: Apache-2.0
#include "proxy/held_routes.h"

#include "proxy/plan_routes.h"

namespace proxima::proxy {

RouteTable with_held_routes(RouteTable wanted, const RouteTable& written,
                            const std::set<ServiceName>& services) {
  for (const auto& [ns, service] : services) {
    for (const PortRoutesRef& routes : wanted.ports_of(ns, service)) {
      for (const FrontendRouteRef& route : plan_frontends(*routes, wanted.rules))
        wanted.frontends.erase(claim_of(*route));
      wanted.ports.erase(routes->port.key);
    }
    for (const PortRoutesRef& routes : written.ports_of(ns, service)) {
      for (const FrontendRouteRef& route : plan_frontends(*routes, wanted.rules))
        wanted.frontends.put(route);
      wanted.ports.put(routes);
    }
  }
  return wanted;
}

RouteChanges changes_with_held(const RouteTable& before, const RouteTable& after,
                               const RouteChanges& changes, const std::set<ServiceName>& services) {
  std::vector<ServicePortKey> ports;
  std::vector<Frontend> frontends;
  for (const PortChange& change : changes.ports)
    ports.push_back((change.after ? change.after : change.before)->port.key);
  for (const FrontendChange& change : changes.frontends)
    frontends.push_back((change.after ? change.after : change.before)->at);
  for (const auto& [ns, service] : services) {
    for (const RouteTable* table : {&before, &after}) {
      for (const PortRoutesRef& routes : table->ports_of(ns, service)) {
        ports.push_back(routes->port.key);
        for (const FrontendRouteRef& route : plan_frontends(*routes, table->rules))
          frontends.push_back(route->at);
      }
    }
  }
  return diff_routes_at(before, after, std::move(ports), std::move(frontends));
}

}  // namespace proxima::proxy
