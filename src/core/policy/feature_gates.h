// SPDX-License-Identifier: Apache-2.0
// Parts of Kubernetes that a cluster may switch off, under upstream's names. What is off counts as
// if nobody had written it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::policy {

struct FeatureGates {
  bool topology_aware_hints = true;          // off: no hints, and proxies that look at none
  bool service_traffic_distribution = true;  // off: spec.trafficDistribution is not looked at
  // off: of spec.trafficDistribution only PreferClose is known, and our own values.
  bool prefer_same_traffic_distribution = true;
  bool service_topology = true;        // off: topology keys are not looked at
  bool service_traffic_policy = true;  // off: spec.trafficPolicy is not looked at

  bool operator==(const FeatureGates&) const = default;
};

// "TopologyAwareHints=false,ServiceTopology=true", the syntax of Kubernetes' --feature-gates. What
// is not named is on, unless it depends on one that is off. An error where it is named as on.
Result<FeatureGates> parse_feature_gates(std::string_view text);
// Those of `given` that are known here; kube-proxy's configuration has others as well.
Result<FeatureGates> known_feature_gates(const std::map<std::string, bool>& given);
bool is_feature_gate(std::string_view name);
// "PreferSameTrafficDistribution, ServiceTopology, …": by name.
std::string feature_gate_names();

}  // namespace proxima::policy
