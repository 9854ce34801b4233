// SPDX-License-Identifier: Apache-2.0
// Labels as interned pairs, and the label keys and annotation names the system knows.
#pragma once

#include <span>
#include <string_view>

#include "base/string_pool.h"

namespace proxima::model {

struct Label {
  NameId key;
  NameId value;
  friend auto operator<=>(const Label&, const Label&) = default;
};

// Sorted by key id; each key at most once.
using Labels = std::span<const Label>;

// The value of `key`, or none.
NameId label_value(Labels labels, NameId key);

inline constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";
inline constexpr std::string_view kRegionLabel = "topology.kubernetes.io/region";
inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";
inline constexpr std::string_view kControlPlaneLabel = "node-role.kubernetes.io/control-plane";
inline constexpr std::string_view kMasterLabel = "node-role.kubernetes.io/master";
inline constexpr std::string_view kServiceNameLabel = "kubernetes.io/service-name";
inline constexpr std::string_view kManagedByLabel = "endpointslice.kubernetes.io/managed-by";
inline constexpr std::string_view kHeadlessLabel = "service.kubernetes.io/headless";
inline constexpr std::string_view kProxyNameLabel = "service.kubernetes.io/service-proxy-name";

inline constexpr std::string_view kTopologyModeAnnotation = "service.kubernetes.io/topology-mode";
inline constexpr std::string_view kTopologyAwareHintsAnnotation =
    "service.kubernetes.io/topology-aware-hints";
inline constexpr std::string_view kPolicyAnnotation = "proxima.io/policy";
inline constexpr std::string_view kOverloadAnnotation = "proxima.io/overload";
inline constexpr std::string_view kTopologyKeysAnnotation = "proxima.io/topology-keys";
inline constexpr std::string_view kDemandAnnotation = "proxima.io/demand";
inline constexpr std::string_view kMinLocalEndpointsAnnotation = "proxima.io/min-local-endpoints";
inline constexpr std::string_view kNodeFirstAnnotation = "proxima.io/node-first";
inline constexpr std::string_view kPanicAnnotation = "proxima.io/panic";
inline constexpr std::string_view kAutoStartAnnotation = "proxima.io/auto-start";
inline constexpr std::string_view kAutoStopAnnotation = "proxima.io/auto-stop";
inline constexpr std::string_view kFailoverAnnotation = "proxima.io/failover";
inline constexpr std::string_view kFallbackAnnotation = "proxima.io/fallback";
inline constexpr std::string_view kWeightAnnotation = "proxima.io/weight";
inline constexpr std::string_view kZoneSplitAnnotation = "proxima.io/zone-split";
inline constexpr std::string_view kRoutingAnnotation = "proxima.io/routing";
inline constexpr std::string_view kTrafficAnnotation = "proxima.io/traffic";

}  // namespace proxima::model
