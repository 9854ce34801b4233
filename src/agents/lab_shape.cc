// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_shape.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "agents/name_list.h"
#include "core/model/label_syntax.h"
#include "core/policy/policy_names.h"
#include "core/policy/settings.h"

namespace proxima::agents {
namespace {

using Fault = std::optional<ShapeFault>;
// A number is put behind the name of a Service to name its Pods.
constexpr std::size_t kNameMax = 50;
// What Kubernetes itself would do: where the page begins, and what is to be compared.
constexpr const char* kFirstPolicy = "auto";

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// The strictest of Kubernetes' rules, which is the one for Services.
bool is_object_name(const std::string& name) {
  if (name.empty() || name.size() > kNameMax) return false;
  if (!is_letter(name.front()) || !is_letter_or_digit(name.back())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '-'; });
}

Fault wrong_name(const std::string& field, const std::string& name) {
  if (is_object_name(name)) return std::nullopt;
  return ShapeFault{field, "\"" + name +
                               "\" is not a name: lower-case letters, digits and '-', beginning "
                               "with a letter, at most " +
                               std::to_string(kNameMax) + " of them"};
}

bool is_part(double value) { return std::isfinite(value) && value >= 0; }

Fault fault_in_zone(const ZoneShape& zone) {
  const std::string field = "zones." + zone.name;
  if (zone.name.empty()) return ShapeFault{"zones", "a zone without a name"};
  if (const auto wrong = model::wrong_label_value(zone.name)) return ShapeFault{field, *wrong};
  if (zone.nodes == 0) return ShapeFault{field + ".nodes", "at least 1"};
  if (!is_part(zone.demand)) return ShapeFault{field + ".demand", "a number that is 0 or more"};
  return std::nullopt;
}

Fault fault_in_zones(const LabShape& shape) {
  if (shape.zones.empty()) return ShapeFault{"zones", "there must be one at least"};
  std::set<std::string> names;
  std::size_t nodes = 0;
  double demand = 0;
  for (const ZoneShape& zone : shape.zones) {
    if (auto fault = fault_in_zone(zone)) return fault;
    if (!names.insert(zone.name).second) return ShapeFault{"zones." + zone.name, "comes twice"};
    nodes += std::min(zone.nodes, kLabNodesMax + 1);
    demand += zone.demand;
  }
  if (nodes > kLabNodesMax)
    return ShapeFault{"zones", "more than " + std::to_string(kLabNodesMax) + " nodes"};
  if (demand <= 0) return ShapeFault{"zones", "no zone has any demand"};
  return std::nullopt;
}

Fault fault_in_policy(const std::string& field, const ServiceShape& service) {
  if (!service.policy.empty() && !policy::parse_policy(service.policy))
    return ShapeFault{field + ".policy",
                      "no policy \"" + service.policy + "\"; there are " + policy::policy_names()};
  if (service.overload.empty()) return std::nullopt;
  const auto overload = policy::parse_overload(service.overload);
  if (overload) return std::nullopt;
  return ShapeFault{field + ".overload", overload.error().message};
}

Fault fault_in_endpoints(const std::string& field, const ServiceShape& service,
                         const std::vector<std::string>& zones) {
  for (const auto& [zone, count] : service.endpoints) {
    std::string place = field;
    place.append(".endpoints.").append(zone);
    if (std::find(zones.begin(), zones.end(), zone) == zones.end())
      return ShapeFault{place, "no such zone; there are " + name_list(zones)};
    if (count > kPodsOfAServiceInAZoneMax)
      return ShapeFault{place, "more than " + std::to_string(kPodsOfAServiceInAZoneMax)};
  }
  return std::nullopt;
}

Fault fault_in_service(const std::string& field, const ServiceShape& service,
                       const std::vector<std::string>& zones) {
  if (auto fault = wrong_name(field + ".name", service.name)) return fault;
  if (auto fault = wrong_name(field + ".namespace", service.ns)) return fault;
  if (auto fault = fault_in_policy(field, service)) return fault;
  if (!is_part(service.share)) return ShapeFault{field + ".share", "a number that is 0 or more"};
  if (service.port == 0) return ShapeFault{field + ".port", "a number from 1 to 65535"};
  return fault_in_endpoints(field, service, zones);
}

Fault fault_in_services(const LabShape& shape) {
  std::vector<std::string> zones;
  for (const ZoneShape& zone : shape.zones) zones.push_back(zone.name);
  std::set<std::string> names;
  for (std::size_t i = 0; i < shape.services.size(); ++i) {
    const std::string field = "services[" + std::to_string(i) + "]";
    if (auto fault = fault_in_service(field, shape.services[i], zones)) return fault;
    if (!names.insert(shape.services[i].key()).second)
      return ShapeFault{field + ".name", shape.services[i].key() + " comes twice"};
  }
  return std::nullopt;
}

}  // namespace

LabShape default_shape() {
  LabShape shape;
  for (const char* zone : {"zone-a", "zone-b", "zone-c"})
    shape.zones.push_back({.name = zone, .nodes = 2});
  const auto add = [&](const char* name, std::size_t a, std::size_t b, std::size_t c) {
    ServiceShape service;
    service.name = name;
    service.endpoints = {{"zone-a", a}, {"zone-b", b}, {"zone-c", c}};
    service.policy = kFirstPolicy;
    shape.services.push_back(std::move(service));
  };
  add("even", 2, 2, 2);
  add("lopsided", 2, 1, 1);
  add("single", 3, 0, 0);
  return shape;
}

std::optional<ShapeFault> fault_in(const LabShape& shape) {
  if (auto fault = fault_in_zones(shape)) return fault;
  if (auto fault = fault_in_services(shape)) return fault;
  const double rate = shape.requests_per_second;
  if (!is_part(rate) || rate > kRequestsPerSecondMax)
    return ShapeFault{"requestsPerSecond", "a number from 0 to 5000"};
  return std::nullopt;
}

}  // namespace proxima::agents
