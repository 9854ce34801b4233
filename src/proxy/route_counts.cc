// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_counts.h"

#include "base/check.h"

namespace proxima::proxy {
namespace {

bool lacks_local_internal(const PortRoutes& routes) {
  return routes.has_any && !routes.has_internal;
}

bool lacks_local_external(const PortRoutes& routes) {
  return routes.has_any && !routes.has_external;
}

bool is_unreadable(const PortRoutes& routes) {
  return routes.why.reason == policy::Reason::SplitUnreadable;
}

std::pair<Text, Text> service_of(const PortRoutes& routes) {
  return {routes.port.key.ns, routes.port.key.service};
}

void add(RouteCounts& counts, const PortRoutes& routes) {
  ++counts.ports;
  if (is_unreadable(routes)) ++counts.unreadable[service_of(routes)];
  ++counts.ports_by_reason[routes.why.reason];
  counts.backends += routes.cluster.size();
  counts.no_local_internal += lacks_local_internal(routes) ? 1 : 0;
  counts.no_local_external += lacks_local_external(routes) ? 1 : 0;
}

void remove(RouteCounts& counts, const PortRoutes& routes) {
  PROXIMA_CHECK(counts.ports > 0);
  --counts.ports;
  const auto found = counts.ports_by_reason.find(routes.why.reason);
  PROXIMA_CHECK(found != counts.ports_by_reason.end());
  if (--found->second == 0) counts.ports_by_reason.erase(found);
  if (is_unreadable(routes)) {
    const auto service = counts.unreadable.find(service_of(routes));
    PROXIMA_CHECK(service != counts.unreadable.end());
    if (--service->second == 0) counts.unreadable.erase(service);
  }
  counts.backends -= routes.cluster.size();
  counts.no_local_internal -= lacks_local_internal(routes) ? 1 : 0;
  counts.no_local_external -= lacks_local_external(routes) ? 1 : 0;
}

}  // namespace

void RouteCounts::apply(const RouteChanges& changes) {
  for (const PortChange& change : changes.ports) {
    if (change.before) remove(*this, *change.before);
    if (change.after) add(*this, *change.after);
  }
}

}  // namespace proxima::proxy
