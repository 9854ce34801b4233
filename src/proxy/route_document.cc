// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_document.h"

#include <boost/json.hpp>

#include "proxy/plan_routes.h"

namespace proxima::proxy {
namespace {

namespace json = boost::json;

std::string_view kind_text(FrontendKind kind) {
  switch (kind) {
    case FrontendKind::ClusterIp:
      return "ClusterIP";
    case FrontendKind::LoadBalancer:
      return "LoadBalancer";
    case FrontendKind::ExternalIp:
      return "ExternalIP";
    case FrontendKind::NodePort:
      return "NodePort";
  }
  return "";
}

std::string handling_text(const Handling& handling) {
  const char* masquerade = handling.masquerade ? ", masqueraded" : "";
  switch (handling.action) {
    case Action::Cluster:
      return std::string("cluster") + masquerade;
    case Action::Local:
      return std::string("local") + masquerade;
    case Action::Reject:
      return "reject";
    case Action::Drop:
      return "drop";
  }
  return "";
}

json::object reason_object(const RouteReason& reason) {
  const policy::Note note = reason.note();
  json::object out{{"code", json::string(policy::text_of(reason.reason).code)},
                   {"sentence", policy::sentence(note)}};
  const std::string remedy = policy::remedy(note);
  if (!remedy.empty()) out["remedy"] = remedy;
  return out;
}

json::object frontend_object(const RouteTable& table, const FrontendRoute& route) {
  json::object out{{"at", to_text(route.at)},
                   {"kind", json::string(kind_text(route.kind))},
                   {"fromPods", handling_text(route.from(Source::Pod))},
                   {"fromNode", handling_text(route.from(Source::Node))},
                   {"fromOutside", handling_text(route.from(Source::Outside))}};
  // Somebody with a lesser name claims the same address and port.
  const FrontendRouteRef holder = table.in_force(route.at);
  if (holder && holder->port != route.port) out["takenBy"] = to_text(holder->port);
  return out;
}

json::array backend_array(const Backends& backends) {
  std::uint64_t total = 0;
  for (const Backend& backend : backends) total += backend.weight;
  json::array out;
  for (const Backend& backend : backends) {
    const bool is_v6 = backend.at.address.family() == IpFamily::V6;
    const std::string host = backend.at.address.text();
    json::object one{
        {"endpoint", (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(backend.at.port)},
        {"permille", (backend.weight * std::uint64_t{1000} + total / 2) / total},
        {"local", backend.local}};
    if (backend.zone.has_value()) one["zone"] = json::string(backend.zone.view());
    out.push_back(std::move(one));
  }
  return out;
}

json::object port_object(const RouteTable& table, const PortRoutes& routes) {
  const ServicePortKey& key = routes.port.key;
  json::object out{{"namespace", json::string(key.ns.view())},
                   {"service", json::string(key.service.view())},
                   {"port", json::string(key.port.view())},
                   {"protocol", json::string(kube::to_text(key.protocol))},
                   {"reason", reason_object(routes.why)}};
  if (routes.why_local) out["localReason"] = reason_object(*routes.why_local);
  json::array frontends;
  for (const FrontendRouteRef& route : plan_frontends(routes, table.rules))
    frontends.push_back(frontend_object(table, *route));
  out["frontends"] = std::move(frontends);
  json::array refused;
  for (const IpAddress& address : routes.port.refused_ips)
    refused.push_back(reason_object(
        {.reason = policy::Reason::ExternalIpOfNode, .subject = Text(address.text())}));
  if (!refused.empty()) out["refused"] = std::move(refused);
  out["cluster"] = backend_array(routes.cluster);
  out["local"] = backend_array(routes.local);
  if (routes.port.affinity_seconds > 0) out["affinitySeconds"] = routes.port.affinity_seconds;
  json::array allowed;
  for (const IpPrefix& range : routes.allowed_sources) allowed.emplace_back(range.text());
  if (!allowed.empty()) out["allowedSources"] = std::move(allowed);
  return out;
}

bool is_wanted(const ServicePortKey& key, const RouteFilter& filter) {
  return (filter.ns.empty() || key.ns.view() == filter.ns) &&
         (filter.service.empty() || key.service.view() == filter.service);
}

}  // namespace

std::string render_routes(const RouteTable& table, const RouteFilter& filter) {
  std::string out = "{\"family\":\"" + std::string(to_text(table.rules.family)) + "\",\"ports\":[";
  const char* separator = "\n";
  table.ports.each([&](const PortRoutesRef& routes) {
    if (!is_wanted(routes->port.key, filter)) return true;
    out += separator + json::serialize(port_object(table, *routes));
    separator = ",\n";
    return true;
  });
  return out + "\n]}\n";
}

}  // namespace proxima::proxy
