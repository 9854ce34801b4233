// SPDX-License-Identifier: Apache-2.0
#include "core/plan/route.h"

#include <algorithm>

#include "core/plan/node_first_plan.h"
#include "core/plan/zone_split.h"
#include "core/policy/topology_keys.h"

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::NodeIndex;
using model::Service;
using model::Snapshot;
using model::ZoneIndex;
using policy::PolicyKind;

template <class Index>
std::uint32_t number_of(Index index) {
  return index ? static_cast<std::uint32_t>(index.value()) : route::kUnknown;
}

bool looks_at_weights(const ClusterPlan& plan, const ServicePlan& service) {
  switch (service.policy) {
    case PolicyKind::ClusterWide:
    case PolicyKind::TopologyKeys:
      return false;
    case PolicyKind::ZoneAware:
      return plan.options.defaults.zone_aware.basis != policy::LocalityBasis::HealthyHostsNum;
    case PolicyKind::Auto:
    case PolicyKind::PreferSameZone:
    case PolicyKind::PreferSameNode:
    case PolicyKind::Balanced:
    case PolicyKind::RequireZone:
      break;
  }
  return true;
}

NameId label_of_node(const Snapshot& snapshot, NodeIndex node, std::string_view key) {
  const NameId id = snapshot.names.find(key);
  if (!node || !id) return {};
  return label_value(Snapshot::part(snapshot.labels, snapshot.nodes[node.value()].labels), id);
}

}  // namespace

bool weights_count(const ClusterPlan& plan, const ServicePlan& service) {
  return service.weighted && looks_at_weights(plan, service);
}

bool asks_itself(const ClusterPlan& plan, const ServicePlan& service) {
  const policy::Reason from = plan.notes[service.policy_notes.begin].reason;
  return from != policy::Reason::PolicyFromNamespace &&
         from != policy::Reason::PolicyFromClusterDefault;
}

RouteView::RouteView(const ClusterPlan& plan, const ServicePlan& service, RouteSource source)
    : plan_(plan),
      service_(service),
      endpoints_(Snapshot::part(plan.snapshot->endpoints, service.endpoints)),
      is_published_(source == RouteSource::Published) {
  const Service& object = plan.snapshot->services[service.service.value()];
  routing_.internal_policy_local = object.internal_policy == model::TrafficPolicy::Local;
  routing_.uses_hints = policy::uses_hints(*plan.snapshot, object, plan.options.defaults.gates);
  routing_.keys = std::span(plan.topology_keys).subspan(service.keys.begin, service.keys.size);
  routing_.endpoint_label = [this](std::size_t endpoint, std::string_view key) {
    return endpoint_label(endpoint, key);
  };
  collect_endpoints();
  if (is_published_) {
    collect_from_slices();
  } else {
    collect_from_plan(source);
  }
  routing_.endpoints = published_;
  routing_.split = rows_;
  router_.emplace(routing_);
  router_->index_nodes();
}

void RouteView::collect_from_plan(RouteSource source) {
  if (source == RouteSource::HintsOfPlan) return;
  routing_.follows_keys = service_.keys.size > 0;
  routing_.ignores_health = service_.ignores_health;
  const bool is_told =
      asks_itself(plan_, service_) || service_.why.reason != policy::Reason::SlicesOfOthers;
  routing_.requires_zone = service_.policy == PolicyKind::RequireZone && is_told;
  collect_weights();
  if (routing_.requires_zone) return collect_failover();
  routing_.has_split = service_.split >= 0;
  has_node_tier_ =
      routing_.has_split && service_.policy == PolicyKind::Balanced && service_.node_first;
  if (has_node_tier_) {
    collect_node_tier();
  } else if (routing_.has_split) {
    collect_rows(plan_.split_of(service_), plan_.row_totals(service_));
  }
}

std::uint32_t RouteView::zone_number(std::size_t place) const {
  return place + 1 < plan_.places ? static_cast<std::uint32_t>(place) : route::kUnknown;
}

void RouteView::collect_endpoints() {
  published_.resize(endpoints_.size());
  zone_hints_.resize(service_.planned);
  node_hints_.resize(service_.planned);
  for (std::size_t e = 0; e < endpoints_.size(); ++e) {
    route::PublishedEndpoint& one = published_[e];
    one.ready = is_ready_for_proxy(endpoints_[e]);
    one.serving = is_serving(endpoints_[e]);
    one.terminating = is_terminating(endpoints_[e]);
    one.zone = number_of(endpoints_[e].zone);
    one.node = number_of(endpoints_[e].node);
    if (is_published_ || e >= service_.planned) {
      take_published_hints(e);
      continue;
    }
    const EndpointHint& hint = plan_.hints[service_.endpoints.begin + e];
    if (hint.zone) {
      zone_hints_[e] = number_of(hint.zone);
      one.zone_hints = std::span(&zone_hints_[e], 1);
    }
    if (hint.shared.size > 0) one.zone_hints = Snapshot::part(plan_.shared_zones, hint.shared);
    if (hint.for_own_node) {
      node_hints_[e] = one.node;
      one.node_hints = std::span(&node_hints_[e], 1);
    }
  }
}

void RouteView::collect_weights() {
  const bool by_weight = weights_count(plan_, service_);
  for (std::size_t e = 0; by_weight && e < service_.planned; ++e)
    published_[e].weight = published_[e].inflow = static_cast<double>(endpoints_[e].weight);
}

// Places that start no traffic have no row.
void RouteView::collect_rows(std::span<const double> split, std::span<const double> demand) {
  const std::size_t places = plan_.places;
  shares_.reserve(places * places);
  for (std::size_t from = 0; from < places; ++from) {
    if (demand[from] <= 0) continue;
    const std::size_t first = shares_.size();
    for (std::size_t to = 0; to < places; ++to) {
      const double share = split[from * places + to] / demand[from];
      if (share > 0) shares_.push_back({zone_number(to), share});
    }
    rows_.push_back({zone_number(from), std::span(shares_).subspan(first)});
  }
}

// Zones that keep their traffic need no row.
void RouteView::collect_failover() {
  routing_.split_is_failover = routing_.has_split = service_.split >= 0;
  if (service_.split < 0) return;
  const auto totals = failover_totals(plan_, service_);
  rest_ = to_zone_split(plan_, plan_.split_of(service_), totals);
  collect_rows(plan_.split_of(service_), totals);
}

void RouteView::collect_node_tier() {
  ReadyEndpoints ready;
  ready.collect(endpoints_.first(service_.planned), plan_.places, model::is_ready_for_proxy);
  std::vector<std::uint32_t> ready_in(plan_.places, 0);
  for (std::uint16_t place : ready.place) ++ready_in[place];
  std::vector<unsigned char> staying(plan_.places, 1);
  for (std::size_t place = 0; place + 1 < plan_.places; ++place) {
    staying[place] = may_stay(ready_in[place], service_.min_local_endpoints) ? 1 : 0;
  }
  policy::NodeFirstWorkspace work;
  const policy::NodeFirstPlan& made =
      plan_nodes_first(plan_, service_, ready, node_places(*plan_.snapshot), staying, work);
  for (std::size_t e = 0; e < service_.planned; ++e) published_[e].inflow = 0;
  for (std::size_t i = 0; i < ready.index.size(); ++i) {
    route::PublishedEndpoint& one = published_[ready.index[i]];
    one.inflow = made.zone_part[i];
    if (one.node == route::kUnknown) continue;
    const double demand_here = demand().by_node[one.node];
    const std::uint32_t slot = work.slot_of_endpoint[i];
    if (slot > 0 && demand_here > 0)
      one.kept_on_node = std::min(1.0, made.kept[slot - 1].share / demand_here);
  }
  rest_ = to_zone_split(plan_, made.split, made.left);
  // Where nothing leaves its node, the plan of the zones is all that is published.
  if (rest_.empty()) return collect_rows(plan_.split_of(service_), demand().by_place);
  collect_rows(made.split, made.left);
}

std::vector<NodeIndex> RouteView::special_nodes(std::size_t place) const {
  std::vector<NodeIndex> nodes;
  const Snapshot& snapshot = *plan_.snapshot;
  const auto in_place = [&](NodeIndex node) {
    return number_of(snapshot.nodes[node.value()].zone) == zone_number(place);
  };
  if (routing_.follows_keys && keys_need_every_node()) {
    for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
      if (in_place(NodeIndex(n))) nodes.push_back(NodeIndex(n));
    }
    return nodes;
  }
  const bool by_node = routing_.follows_keys || routing_.internal_policy_local || has_node_tier_;
  const auto add = [&](std::uint32_t node) {
    if (node < snapshot.nodes.size() && in_place(NodeIndex(node))) nodes.push_back(NodeIndex(node));
  };
  for (const route::PublishedEndpoint& endpoint : published_) {
    if (by_node) add(endpoint.node);
    for (const std::uint32_t node : endpoint.node_hints) add(node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

route::Route RouteView::route_from_node(NodeIndex node) const {
  const ZoneIndex zone = plan_.snapshot->nodes[node.value()].zone;
  return route(node, zone ? zone.value() : plan_.places - 1);
}

route::Route RouteView::route_from_place(std::size_t place) const {
  return route(NodeIndex(), place);
}

route::Route RouteView::route(NodeIndex node, std::size_t place) const {
  const bool labels_known =
      node ? plan_.snapshot->nodes[node.value()].labels.size > 0 : place + 1 < plan_.places;
  route::NodeRoute made = router_->from(
      {.node = number_of(node),
       .zone = zone_number(place),
       .zone_name = place + 1 < plan_.places ? plan_.snapshot->zone_name(ZoneIndex(place))
                                             : std::string_view(),
       .labels_known = labels_known,
       .label = routing_.follows_keys ? route::LabelOfNode([&](std::string_view key) {
         return node_label(node, place, key);
       })
                                      : route::LabelOfNode()});
  return std::move(routing_.internal_policy_local ? *made.local : *made.cluster);
}

// Host and zone are known of a place and of the nodes that carry endpoints; for any other label
// every node may differ.
bool RouteView::keys_need_every_node() const {
  const auto known = [](std::string_view key) {
    return key == model::kHostnameLabel || key == model::kZoneLabel || key == policy::kAnyTopology;
  };
  return !std::all_of(routing_.keys.begin(), routing_.keys.end(), known);
}

std::uint32_t RouteView::node_label(NodeIndex node, std::size_t place, std::string_view key) const {
  const Snapshot& snapshot = *plan_.snapshot;
  if (node) return number_of(label_of_node(snapshot, node, key));
  if (key == model::kZoneLabel && place + 1 < plan_.places) {
    return number_of(snapshot.zones[place].name);
  }
  if (key == model::kRegionLabel && place + 1 < plan_.places && snapshot.zones[place].region) {
    return number_of(snapshot.regions[snapshot.zones[place].region.value()]);
  }
  return policy::kNoValue;
}

// As the controller filled it in: the host is the Pod's node name whatever the node's label says.
std::optional<std::uint32_t> RouteView::endpoint_label(std::size_t endpoint,
                                                       std::string_view key) const {
  const Snapshot& snapshot = *plan_.snapshot;
  const Endpoint& one = endpoints_[endpoint];
  if (key == model::kHostnameLabel) {
    return one.node ? number_of(snapshot.nodes[one.node.value()].name) : policy::kNoValue;
  }
  if (key == model::kZoneLabel) {
    if (!one.zone) return std::nullopt;
    return number_of(snapshot.zones[one.zone.value()].name);
  }
  if (is_published_) return published_label(endpoint, key);
  if (endpoint >= service_.planned) return std::nullopt;
  return number_of(label_of_node(snapshot, one.node, key));
}

std::optional<std::string> RouteView::label_text(std::size_t endpoint, std::string_view key) const {
  const Snapshot& snapshot = *plan_.snapshot;
  const NameId value = label_of_node(snapshot, endpoints_[endpoint].node, key);
  if (!value) return std::nullopt;
  return std::string(snapshot.names[value]);
}

}  // namespace proxima::plan
