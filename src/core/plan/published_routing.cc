// SPDX-License-Identifier: Apache-2.0
#include "core/plan/published_routing.h"

#include <algorithm>

#include "core/plan/zone_split.h"
#include "core/policy/topology_keys.h"

namespace proxima::plan {
namespace {

using policy::PolicyKind;

bool is_in_every_slice(std::string_view key) {
  return key == model::kHostnameLabel || key == model::kZoneLabel || key == policy::kAnyTopology;
}

}  // namespace

PublishedRouting::PublishedRouting(const ClusterPlan& plan, const ServicePlan& service) {
  const auto keys = std::span(plan.topology_keys).subspan(service.keys.begin, service.keys.size);
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(labels_),
               [](std::string_view key) { return !is_in_every_slice(key); });
  std::sort(labels_.begin(), labels_.end());
  if (!asks_itself(plan, service)) keys_.assign(keys.begin(), keys.end());
  tiered_ = service.split >= 0 && service.policy == PolicyKind::Balanced && service.node_first;
  weighted_ = weights_count(plan, service);
  ignores_health_ = service.ignores_health;
  requires_zone_ = service.policy == PolicyKind::RequireZone;
  for (const FailingZone& zone : model::Snapshot::part(plan.failing, service.failing))
    failing_.push_back({std::string(plan.snapshot->zone_name(zone.zone)), zone.since, zone.spent});
  const bool of_service = !keys_.empty() || ignores_health_ || requires_zone_;
  if (labels_.empty() && !tiered_ && !weighted_ && !of_service) return;
  view_.emplace(plan, service, RouteSource::Plan);
}

route::SliceRouting PublishedRouting::of(std::size_t first, std::size_t count) const {
  route::SliceRouting out;
  for (std::size_t e = first; e < first + count; ++e) {
    const route::PublishedEndpoint& endpoint = view_->endpoint(e);
    if (weighted_) out.weights.push_back(endpoint.weight);
    if (!tiered_) continue;
    out.kept.push_back(endpoint.kept_on_node);
    out.inflow.push_back(endpoint.inflow);
  }
  for (const std::string_view key : labels_) {
    route::LabelColumn& column = out.labels.emplace_back(route::LabelColumn{std::string(key), {}});
    for (std::size_t e = first; e < first + count; ++e)
      column.values.push_back(view_->label_text(e, key));
  }
  out.keys = keys_;
  out.ignores_health = ignores_health_;
  out.requires_zone = requires_zone_;
  out.failing = failing_;
  if (tiered_ || requires_zone_) out.rest = view_->published_split();
  return out;
}

}  // namespace proxima::plan
