// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_table.h"

namespace proxima::proxy {
namespace {

template <class T, class Order>
std::vector<Ref<const T>> all_of(const PersistentMap<T, Order>& map) {
  std::vector<Ref<const T>> values;
  values.reserve(map.size());
  map.each([&](const Ref<const T>& value) {
    values.push_back(value);
    return true;
  });
  return values;
}

template <class T, class Order>
bool same(const PersistentMap<T, Order>& a, const PersistentMap<T, Order>& b) {
  if (a.size() != b.size()) return false;
  const auto left = all_of(a);
  const auto right = all_of(b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i] && !(*left[i] == *right[i])) return false;
  }
  return true;
}

// Before every claim of the frontend.
const ServicePortKey kFirstPort;

}  // namespace

bool operator==(const PortRoutes& a, const PortRoutes& b) {
  return a.port == b.port && a.cluster == b.cluster && a.local == b.local &&
         a.has_any == b.has_any && a.has_internal == b.has_internal &&
         a.has_external == b.has_external && a.why == b.why && a.why_local == b.why_local &&
         a.allowed_sources == b.allowed_sources && a.serving == b.serving &&
         a.local_ready == b.local_ready;
}

std::string to_text(const Frontend& frontend) {
  std::string host = "*";
  if (frontend.scope == Frontend::Scope::Address) {
    host = frontend.address.text();
    if (frontend.address.family() == IpFamily::V6) host = "[" + host + "]";
  }
  return host + ":" + std::to_string(frontend.port) + "/" +
         std::string(kube::to_text(frontend.protocol));
}

FrontendRouteRef RouteTable::in_force(const Frontend& at) const {
  FrontendRouteRef found;
  frontends.each_from(FrontendClaim{at, FrontendKind::ClusterIp, kFirstPort},
                      [&](const FrontendRouteRef& route) {
                        if (route->at == at) found = route;
                        return false;
                      });
  return found;
}

bool RouteTable::is_cluster_ip(const IpAddress& address) const {
  bool found = false;
  const Frontend first{.scope = Frontend::Scope::Address, .address = address};
  frontends.each_from(FrontendClaim{first, FrontendKind::ClusterIp, kFirstPort},
                      [&](const FrontendRouteRef& route) {
                        const bool here = route->at.scope == Frontend::Scope::Address &&
                                          route->at.address == address;
                        found = here && route->kind == FrontendKind::ClusterIp;
                        return here && !found;
                      });
  return found;
}

std::vector<PortRoutesRef> RouteTable::ports_of(const Text& ns, const Text& service) const {
  std::vector<PortRoutesRef> found;
  const ServicePortKey first{.ns = ns, .service = service, .port = {}};
  ports.each_from(first, [&](const PortRoutesRef& routes) {
    const ServicePortKey& key = routes->port.key;
    if (key.ns != ns || key.service != service) return false;
    found.push_back(routes);
    return true;
  });
  return found;
}

bool operator==(const RouteTable& a, const RouteTable& b) {
  return a.rules == b.rules && same(a.ports, b.ports) && same(a.frontends, b.frontends);
}

}  // namespace proxima::proxy
