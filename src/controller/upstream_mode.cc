// SPDX-License-Identifier: Apache-2.0
#include "controller/upstream_mode.h"

#include "core/model/labels.h"

namespace proxima::controller {

bool has_topology_hints(const kube::ServiceRecord& service) {
  Text mode = kube::label(service.annotations, model::kTopologyAwareHintsAnnotation);
  if (!mode) mode = kube::label(service.annotations, model::kTopologyModeAnnotation);
  return mode.view() == "Auto" || mode.view() == "auto";
}

std::string_view followed_traffic_distribution(const kube::ServiceRecord& service) {
  const std::string_view value = service.traffic_distribution.view();
  const bool known =
      value == "PreferClose" || value == "PreferSameZone" || value == "PreferSameNode";
  return known && !has_topology_hints(service) ? value : std::string_view();
}

}  // namespace proxima::controller
