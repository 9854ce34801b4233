// SPDX-License-Identifier: Apache-2.0
// What one node uses of the endpoints of a service port: traffic policies, hints, the fallback to
// terminating endpoints. Exactly kube-proxy's categorisation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/endpoint.h"
#include "core/policy/reason.h"

namespace proxima::policy {

// One endpoint as a node sees it.
struct Candidate {
  bool ready = false;
  bool serving = false;
  bool terminating = false;
  bool local = false;                         // on this node
  std::span<const std::uint32_t> zone_hints;  // values of ZoneIndex
  std::span<const std::uint32_t> node_hints;  // values of NodeIndex
};

struct SelectionInput {
  std::span<const Candidate> endpoints;  // in the order that results should have
  bool internal_policy_local = false;
  bool external_policy_local = false;
  bool externally_accessible = false;
  bool uses_hints = true;  // false: the feature gate TopologyAwareHints is off in this proxy
  model::NodeIndex node;
  model::ZoneIndex zone;  // none: the node has no zone; it then matches no zone hint
};

enum class TopologyMode : std::uint8_t { None, SameNode, SameZone };

struct Selection {
  bool uses_cluster = true;
  bool uses_local = false;
  std::vector<std::uint32_t> cluster;  // indices into the endpoints, ascending
  std::vector<std::uint32_t> local;
  bool has_any = false;
  TopologyMode mode = TopologyMode::None;
  Note why;        // for cluster traffic: UsesNodeHints, UsesZoneHints, HintsIncomplete, …
  Note why_local;  // for local traffic, when used
};

Selection select_endpoints(const SelectionInput& input);
// Of the cluster and the local list, those that are used; ascending.
std::vector<std::uint32_t> reachable_endpoints(const Selection& selection);

}  // namespace proxima::policy
