// SPDX-License-Identifier: Apache-2.0
#include "proxy/routing_wish.h"

#include "core/model/snapshot_builder.h"
#include "kube/record_draft.h"

namespace proxima::proxy {
namespace {

using policy::PolicyKind;

// Nearly no Service says anything, and then nothing needs working out.
bool says_something(const kube::ServiceRecord& service, const WishOptions& options) {
  return (service.annotations && !service.annotations->all().empty()) ||
         !service.topology_keys.empty() || service.traffic_distribution.has_value() ||
         service.traffic_policy.has_value() || options.defaults.policy != PolicyKind::ClusterWide;
}

RoutingWish::Kind kind_of(PolicyKind policy, const WishOptions& options) {
  using Kind = RoutingWish::Kind;
  if (policy == PolicyKind::TopologyKeys) return Kind::TopologyKeys;
  if (policy == PolicyKind::RequireZone) return Kind::RequireZone;
  if (!options.plans_by_itself) return Kind::FollowSlices;
  if (policy == PolicyKind::PreferSameNode) return Kind::PreferSameNode;
  if (policy == PolicyKind::PreferSameZone) return Kind::PreferSameZone;
  return Kind::FollowSlices;
}

}  // namespace

RoutingWish routing_wish(const kube::ServiceRecord& service, const WishOptions& options) {
  const policy::FeatureGates& gates = options.defaults.gates;
  RoutingWish wish{.kind = RoutingWish::Kind::FollowSlices,
                   .keys = {},
                   .uses_hints = gates.topology_aware_hints && gates.service_traffic_distribution,
                   .follows_keys = gates.service_topology};
  if (!says_something(service, options)) return wish;
  model::SnapshotBuilder builder;
  builder.add(kube::to_draft(service, builder.names()));
  const model::SnapshotPtr snapshot = builder.build(model::MissingSlices::LeaveEmpty);
  const policy::Settings settings = policy::resolve_settings(*snapshot, snapshot->services.front(),
                                                             options.defaults, std::nullopt)
                                        .settings;
  wish.uses_hints = policy::uses_hints(*snapshot, snapshot->services.front(), gates);
  wish.kind = kind_of(settings.policy, options);
  if (wish.kind == RoutingWish::Kind::TopologyKeys) {
    for (const std::string_view key : settings.topology_keys) wish.keys.emplace_back(key);
  }
  return wish;
}

}  // namespace proxima::proxy
