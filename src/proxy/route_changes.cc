// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_changes.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

template <class T>
void sort_once(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class T>
bool same(const Ref<const T>& a, const Ref<const T>& b) {
  return a == b || (a && b && *a == *b);
}

void diff_cluster_ips(const RouteTable& before, const RouteTable& after,
                      const std::vector<Frontend>& frontends, RouteChanges& changes) {
  const IpAddress* last = nullptr;
  for (const Frontend& frontend : frontends) {
    if (frontend.scope != Frontend::Scope::Address) continue;
    if (last != nullptr && *last == frontend.address) continue;
    last = &frontend.address;
    const bool was = before.is_cluster_ip(frontend.address);
    const bool is = after.is_cluster_ip(frontend.address);
    if (is && !was) changes.new_cluster_ips.push_back(frontend.address);
    if (was && !is) changes.old_cluster_ips.push_back(frontend.address);
  }
}

void collect(const RouteTable& table, std::vector<ServicePortKey>& ports,
             std::vector<Frontend>& frontends) {
  table.ports.each([&](const PortRoutesRef& routes) {
    ports.push_back(routes->port.key);
    return true;
  });
  table.frontends.each([&](const FrontendRouteRef& route) {
    frontends.push_back(route->at);
    return true;
  });
}

}  // namespace

bool RouteChanges::concern_udp() const {
  return std::any_of(ports.begin(), ports.end(), [](const PortChange& change) {
    const PortRoutes& routes = change.after ? *change.after : *change.before;
    return routes.port.key.protocol == kube::Protocol::Udp;
  });
}

RouteChanges diff_routes_at(const RouteTable& before, const RouteTable& after,
                            std::vector<ServicePortKey> ports, std::vector<Frontend> frontends) {
  RouteChanges changes;
  changes.rules_changed = !(before.rules == after.rules);
  sort_once(ports);
  for (const ServicePortKey& key : ports) {
    PortChange change{before.ports.get(key), after.ports.get(key)};
    if (!same(change.before, change.after)) changes.ports.push_back(std::move(change));
  }
  sort_once(frontends);
  for (const Frontend& at : frontends) {
    FrontendChange change{before.in_force(at), after.in_force(at)};
    if (!same(change.before, change.after)) changes.frontends.push_back(std::move(change));
  }
  diff_cluster_ips(before, after, frontends, changes);
  return changes;
}

RouteChanges diff_routes(const RouteTable& before, const RouteTable& after) {
  std::vector<ServicePortKey> ports;
  std::vector<Frontend> frontends;
  collect(before, ports, frontends);
  collect(after, ports, frontends);
  return diff_routes_at(before, after, std::move(ports), std::move(frontends));
}

}  // namespace proxima::proxy
