// SPDX-License-Identifier: Apache-2.0
#include "report/hint_names.h"

#include "core/model/snapshot_builder.h"

namespace proxima::report {

HintNames published_hints(const plan::ClusterPlan& plan, std::uint32_t endpoint) {
  const model::Snapshot& snapshot = *plan.snapshot;
  const model::Endpoint& at = snapshot.endpoints[endpoint];
  const auto all = std::span(snapshot.hints).subspan(at.hints);
  HintNames out;
  for (const std::uint32_t zone : all.first(at.zone_hint_count))
    out.zones.emplace_back(zone == model::kUnknownHint ? "?"
                                                       : snapshot.zone_name(model::ZoneIndex(
                                                             static_cast<std::uint16_t>(zone))));
  for (const std::uint32_t node : all.subspan(at.zone_hint_count, at.node_hint_count))
    out.nodes.emplace_back(
        node == model::kUnknownHint ? "?" : snapshot.node_name(model::NodeIndex(node)));
  return out;
}

HintNames planned_hints(const plan::ClusterPlan& plan, std::uint32_t endpoint) {
  const model::Snapshot& snapshot = *plan.snapshot;
  const plan::EndpointHint& hint = plan.hints[endpoint];
  HintNames out;
  plan.each_zone(hint,
                 [&](model::ZoneIndex zone) { out.zones.emplace_back(snapshot.zone_name(zone)); });
  if (hint.for_own_node)
    out.nodes.emplace_back(snapshot.node_name(snapshot.endpoints[endpoint].node));
  return out;
}

std::string hint_text(const HintNames& hints) {
  std::string out;
  for (const std::string& zone : hints.zones) out += (out.empty() ? "" : ", ") + zone;
  for (const std::string& node : hints.nodes)
    out += (&node != &hints.nodes.front() ? ", " : out.empty() ? "node " : "; node ") + node;
  return out.empty() ? "nobody in particular" : out;
}

}  // namespace proxima::report
