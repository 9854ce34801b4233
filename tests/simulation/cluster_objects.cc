// SPDX-License-Identifier: Apache-2.0
#include "simulation/cluster_objects.h"

#include <algorithm>

#include "simulation/cluster_world.h"

namespace proxima::simulation {

const json::object& section(const json::object& object, std::string_view field) {
  static const json::object nothing;
  const json::object* found = object_at(object, field);
  return found == nullptr ? nothing : *found;
}

const json::array& list(const json::object& object, std::string_view field) {
  static const json::array nothing;
  const json::value* found = object.if_contains(field);
  return found != nullptr && found->is_array() ? found->get_array() : nothing;
}

std::string label(const json::object& object, std::string_view name) {
  return text_at(section(section(object, "metadata"), "labels"), name);
}

bool is_selected(const json::object& service, const json::object& pod) {
  const json::object& selector = section(section(service, "spec"), "selector");
  return !selector.empty() &&
         std::all_of(selector.begin(), selector.end(), [&](const auto& wanted) {
           return wanted.value().is_string() &&
                  label(pod, wanted.key()) == wanted.value().get_string();
         });
}

bool has_family(const json::object& service, IpFamily family) {
  const json::array& families = list(section(service, "spec"), "ipFamilies");
  return std::any_of(families.begin(), families.end(),
                     [&](const json::value& one) { return one == family_text(family); });
}

bool is_ready(const json::object& pod) {
  if (section(pod, "metadata").contains("deletionTimestamp")) return false;
  const json::array& conditions = list(section(pod, "status"), "conditions");
  return std::any_of(conditions.begin(), conditions.end(), [](const json::value& condition) {
    return text_at(condition.as_object(), "type") == "Ready" &&
           text_at(condition.as_object(), "status") == "True";
  });
}

std::string node_of(const json::object& pod) { return text_at(section(pod, "spec"), "nodeName"); }

std::string pod_address(const json::object& pod, IpFamily family) {
  for (const json::value& one : list(section(pod, "status"), "podIPs")) {
    const auto address = IpAddress::parse(text_at(one.as_object(), "ip"));
    if (address && address->family() == family) return address->text();
  }
  return "";
}

bool belongs_to(const json::object& slice, const json::object& service) {
  return metadata_text(slice, "namespace") == metadata_text(service, "namespace") &&
         label(slice, kServiceName) == metadata_text(service, "name");
}

bool is_ours(const json::object& slice) { return label(slice, kManagedBy) == kOurManager; }

const json::array& usable_endpoints(const json::object& slice) {
  const json::array& ports = list(slice, "ports");
  return ports.empty() ? ports : list(slice, "endpoints");
}

bool endpoint_is_ready(const json::object& endpoint) {
  const json::value* ready = section(endpoint, "conditions").if_contains("ready");
  return ready == nullptr || !ready->is_bool() || ready->get_bool();
}

bool is_of_hostile_pod(const json::object& endpoint) {
  return is_hostile(text_at(section(endpoint, "targetRef"), "name"));
}

Precedence precedence_of(const json::object& slice, const json::object& endpoint) {
  const json::value* terminating = section(endpoint, "conditions").if_contains("terminating");
  const bool ends = terminating != nullptr && terminating->is_bool() && terminating->get_bool();
  return {!ends, std::stoull(metadata_text(slice, "resourceVersion"))};
}

}  // namespace proxima::simulation
