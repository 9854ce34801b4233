// SPDX-License-Identifier: Apache-2.0
#include "apiserver/first_objects.h"

#include <boost/json/array.hpp>

#include "apiserver/object_meta.h"
#include "base/ip_address.h"
#include "base/timestamp.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

json::object named(std::string_view name) {
  return {{"metadata", json::object{{"name", json::string(name.data(), name.size())}}}};
}

Status ensure(ObjectRegistry& registry, Kind kind, std::string_view ns, json::object object) {
  const ResourceType& type = resource_of(kind);
  const std::string name(meta_text(object, "name"));
  if (registry.store().find({kind, std::string(ns), name})) return Unit{};
  const auto made = registry.create(type, ns, std::move(object), {});
  if (made) return Unit{};
  return Error{ErrorCode::InvalidInput,
               "create " + std::string(type.name) + " " + name + ": " + made.error().message};
}

json::object api_service(const FirstObjects& wanted) {
  json::object service = named("kubernetes");
  metadata_of(service)["labels"] = {{"component", "apiserver"}, {"provider", "kubernetes"}};
  service["spec"] = {
      {"clusterIP", first_address(wanted.service_cidrs.front())},
      {"type", "ClusterIP"},
      {"ports",
       json::array{json::object{
           {"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", wanted.port}}}}};
  return service;
}

json::object api_slice(const FirstObjects& wanted, bool is_v6) {
  json::object slice = named("kubernetes");
  metadata_of(slice)["labels"] = {{"kubernetes.io/service-name", "kubernetes"}};
  slice["addressType"] = is_v6 ? "IPv6" : "IPv4";
  slice["endpoints"] = json::array{json::object{{"addresses", json::array{wanted.address}},
                                                {"conditions", json::object{{"ready", true}}}}};
  slice["ports"] =
      json::array{json::object{{"name", "https"}, {"protocol", "TCP"}, {"port", wanted.port}}};
  return slice;
}

// Endpoints on the loopback make no sense for anyone else, and validation refuses them.
bool reachable(const std::string& address) {
  return !address.starts_with("127.") && address != "::1" && address != "0.0.0.0" &&
         address != "::" && address != "localhost";
}

Status mark_ready(ObjectRegistry& registry, const Clock& clock) {
  const ResourcePath path{&resource_of(Kind::ServiceCidr), {}, "kubernetes", PathPart::Status};
  const auto changed = registry.update(
      path,
      [&](const json::object* present) -> Outcome<json::object> {
        json::object object = *present;
        const json::value* conditions = child_object(object, "status").if_contains("conditions");
        if (conditions != nullptr) return object;
        object["status"] = {
            {"conditions",
             json::array{json::object{{"type", "Ready"},
                                      {"status", "True"},
                                      {"lastTransitionTime", time_text(clock.wall_now())},
                                      {"reason", ""},
                                      {"message", "Kubernetes default Service CIDR is ready"}}}}};
        return object;
      },
      {});
  if (changed) return Unit{};
  return Error{ErrorCode::InvalidInput, "ServiceCIDR kubernetes: " + changed.error().message};
}

}  // namespace

std::string first_address(const std::string& cidr) {
  const auto network = IpAddress::parse(cidr.substr(0, cidr.find('/')));
  if (!network) return {};
  std::string text = cidr.substr(0, cidr.find('/'));
  if (text.ends_with("::")) return text + "1";
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos) return {};
  const int last = std::atoi(text.c_str() + dot + 1);
  return text.substr(0, dot + 1) + std::to_string(last + 1);
}

Status make_first_objects(ObjectRegistry& registry, const FirstObjects& wanted,
                          const Clock& clock) {
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    auto made = ensure(registry, Kind::Namespace, {}, named(name));
    if (!made) return made;
  }
  json::object cidr = named("kubernetes");
  json::array ranges(wanted.service_cidrs.begin(), wanted.service_cidrs.end());
  cidr["spec"] = {{"cidrs", std::move(ranges)}};
  auto made = ensure(registry, Kind::ServiceCidr, {}, std::move(cidr));
  if (made) made = mark_ready(registry, clock);
  if (made) made = ensure(registry, Kind::Service, "default", api_service(wanted));
  if (made && reachable(wanted.address)) {
    const bool is_v6 = wanted.address.find(':') != std::string::npos;
    made = ensure(registry, Kind::EndpointSlice, "default", api_slice(wanted, is_v6));
  }
  return made;
}

}  // namespace proxima::apiserver
