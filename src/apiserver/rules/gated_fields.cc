// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/gated_fields.h"

#include <algorithm>
#include <boost/json/array.hpp>

namespace proxima::apiserver::rules {
namespace {

void drop_service_field(std::string_view field, JsonFields& object, const JsonFields* old) {
  if (old != nullptr && object_at(*old, "spec").contains(field)) return;
  make_object(object, "spec").erase(field);
}

bool has_hint(const JsonFields& slice, std::string_view kind) {
  const auto& endpoints = array_at(slice, "endpoints");
  return std::any_of(endpoints.begin(), endpoints.end(), [&](const boost::json::value& endpoint) {
    return object_at(object_of(endpoint), "hints").contains(kind);
  });
}

void drop_hints(std::string_view kind, JsonFields& slice, const JsonFields* old) {
  if (old != nullptr && has_hint(*old, kind)) return;
  auto* endpoints = slice.if_contains("endpoints");
  if (endpoints == nullptr || !endpoints->is_array()) return;
  for (boost::json::value& endpoint : endpoints->get_array()) {
    if (!endpoint.is_object()) continue;
    auto* hints = endpoint.get_object().if_contains("hints");
    if (hints == nullptr || !hints->is_object()) continue;
    hints->get_object().erase(kind);
    if (hints->get_object().empty()) endpoint.get_object().erase("hints");
  }
}

}  // namespace

void drop_gated_fields(const ResourceType& type, const policy::FeatureGates& gates,
                       JsonFields& object, const JsonFields* old) {
  if (type.kind == Kind::Service) {
    if (!gates.service_traffic_distribution) drop_service_field("trafficDistribution", object, old);
    if (!gates.service_topology) drop_service_field("topologyKeys", object, old);
    if (!gates.service_traffic_policy) drop_service_field("trafficPolicy", object, old);
  }
  if (type.kind == Kind::EndpointSlice) {
    if (!gates.topology_aware_hints) drop_hints("forZones", object, old);
    if (!gates.topology_aware_hints || !gates.prefer_same_traffic_distribution)
      drop_hints("forNodes", object, old);
  }
}

}  // namespace proxima::apiserver::rules
