// SPDX-License-Identifier: Apache-2.0
// What has to change on a Service so that another policy decides: annotations and fields that
// choose the old one go, and those that choose the new one come. A merge patch, as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/service_rehearsal.h"

namespace proxima::plan {

enum class MoveTarget : std::uint8_t { TrafficDistribution, Balanced, Auto };
inline constexpr MoveTarget kAllMoveTargets[] = {MoveTarget::TrafficDistribution,
                                                 MoveTarget::Balanced, MoveTarget::Auto};

struct AnnotationChange {
  std::string_view key;
  std::optional<std::string_view> value;  // none: the annotation goes

  friend bool operator==(const AnnotationChange&, const AnnotationChange&) = default;
};

struct ServicePatch {
  std::vector<AnnotationChange> annotations;
  std::optional<std::string_view> traffic_distribution;  // field spec.trafficDistribution
  bool removes_topology_keys = false;                    // field spec.topologyKeys
  bool removes_traffic_policy = false;                   // field spec.trafficPolicy

  bool changes_something() const {
    return !annotations.empty() || traffic_distribution || removes_topology_keys ||
           removes_traffic_policy;
  }
};

struct PatchWish {
  MoveTarget target = MoveTarget::TrafficDistribution;
  std::string_view distribution = {};             // value of the field, for TrafficDistribution
  std::optional<std::string_view> overload = {};  // for Balanced; none: it is said already
  bool node_first = false;                        // for Balanced
};

// Texts that patches put into a Service, beside bounds on overload.
inline constexpr std::string_view kPreferSameZone = "PreferSameZone";
inline constexpr std::string_view kPreferSameNode = "PreferSameNode";
inline constexpr std::string_view kPreferClose = "PreferClose";
std::vector<std::string_view> patch_words();

ServicePatch patch_for(const ServiceWords& now, const PatchWish& wish,
                       const ServiceRehearsal& rehearsal);

// `words` as they are once the patch is applied.
ServiceWords patched(const ServiceWords& words, const ServicePatch& patch,
                     const ServiceRehearsal& rehearsal);

}  // namespace proxima::plan
