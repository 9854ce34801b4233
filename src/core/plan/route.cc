// SPDX-License-Identifier: Apache-2.0
#include "core/plan/route.h"

#include <algorithm>

#include "core/plan/node_first_plan.h"
#include "core/policy/topology_keys.h"

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::NodeIndex;
using model::Service;
using model::Snapshot;
using model::ZoneIndex;
using policy::PolicyKind;
using policy::Reason;

Route spread_evenly(const std::vector<std::uint32_t>& endpoints) {
  Route route;
  const double share = 1.0 / static_cast<double>(endpoints.size());
  for (std::uint32_t endpoint : endpoints) route.picks.push_back({endpoint, share});
  return route;
}

}  // namespace

RouteView::RouteView(const ClusterPlan& plan, const ServicePlan& service, ProxyKind proxy)
    : plan_(plan),
      service_(service),
      endpoints_(Snapshot::part(plan.snapshot->endpoints, service.endpoints)) {
  const Service& object = plan.snapshot->services[service.service.value()];
  const bool proxima = proxy == ProxyKind::Proxima;
  const bool has_node_tier = service.policy == PolicyKind::Balanced && service.node_first;
  if (proxima && service.split >= 0) kind_ = has_node_tier ? Kind::NodeFirst : Kind::Split;
  if (proxima && service.keys.size > 0) kind_ = Kind::Keys;
  if (object.internal_policy == model::TrafficPolicy::Local) kind_ = Kind::LocalOnly;
  uses_every_endpoint_ = service.why.reason == Reason::ZoneAwareUpstreamPanic;

  zone_hints_.resize(endpoints_.size());
  node_hints_.resize(endpoints_.size());
  candidates_.resize(endpoints_.size());
  falls_back_ = service.ready == 0;
  for (std::size_t e = 0; e < endpoints_.size(); ++e) {
    const EndpointHint& hint = plan.hints[service.endpoints.begin + e];
    policy::Candidate& candidate = candidates_[e];
    candidate.ready = is_ready_for_proxy(endpoints_[e]);
    candidate.serving = is_serving(endpoints_[e]);
    candidate.terminating = is_terminating(endpoints_[e]);
    if (hint.zone) {
      zone_hints_[e] = static_cast<std::uint32_t>(hint.zone.value());
      candidate.zone_hints = std::span(&zone_hints_[e], 1);
    }
    if (hint.for_own_node) {
      node_hints_[e] = static_cast<std::uint32_t>(endpoints_[e].node.value());
      candidate.node_hints = std::span(&node_hints_[e], 1);
    }
    usable_ += is_usable(e) ? 1 : 0;
  }
  if (kind_ == Kind::NodeFirst) plan_node_tier();
  if (kind_ == Kind::Hints || kind_ == Kind::LocalOnly) index_nodes();
}

void RouteView::index_nodes() {
  std::size_t ready = 0, hinted = 0;
  for (const policy::Candidate& candidate : candidates_) {
    ready += candidate.ready ? 1 : 0;
    hinted += candidate.ready && !candidate.node_hints.empty() ? 1 : 0;
  }
  all_hint_their_node_ = ready > 0 && hinted == ready;
  if (kind_ == Kind::Hints && !all_hint_their_node_) return;
  for (std::size_t e = 0; e < candidates_.size(); ++e) {
    if (!candidates_[e].ready || !endpoints_[e].node) continue;
    ready_by_node_.emplace_back(endpoints_[e].node, static_cast<std::uint32_t>(e));
  }
  std::sort(ready_by_node_.begin(), ready_by_node_.end());
}

std::optional<Route> RouteView::ready_on(NodeIndex node, Reason reason) const {
  if (!node) return std::nullopt;
  const auto first = std::lower_bound(ready_by_node_.begin(), ready_by_node_.end(),
                                      std::pair(node, std::uint32_t{0}));
  std::vector<std::uint32_t> found;
  for (auto at = first; at != ready_by_node_.end() && at->first == node; ++at) {
    found.push_back(at->second);
  }
  if (found.empty()) return std::nullopt;
  Route route = spread_evenly(found);
  route.notes.push_back({.reason = reason, .count = static_cast<std::int64_t>(found.size())});
  return route;
}

void RouteView::plan_node_tier() {
  ready_.collect(endpoints_, plan_.places, model::is_ready_for_proxy);
  std::vector<std::uint32_t> ready_in(plan_.places, 0);
  for (std::uint16_t place : ready_.place) ++ready_in[place];
  std::vector<unsigned char> staying(plan_.places, 1);
  for (std::size_t place = 0; place + 1 < plan_.places; ++place) {
    staying[place] = may_stay(ready_in[place], service_.min_local_endpoints) ? 1 : 0;
  }
  plan_nodes_first(plan_, service_, ready_, node_places(*plan_.snapshot), staying, node_first_);
}

bool RouteView::is_usable(std::size_t endpoint) const {
  const policy::Candidate& candidate = candidates_[endpoint];
  if (uses_every_endpoint_ || candidate.ready) return true;
  return falls_back_ && candidate.serving && candidate.terminating;
}

std::vector<NodeIndex> RouteView::special_nodes(std::size_t place) const {
  std::vector<NodeIndex> nodes;
  const Snapshot& snapshot = *plan_.snapshot;
  const auto in_place = [&](NodeIndex node) {
    const ZoneIndex zone = snapshot.nodes[node.value()].zone;
    return (zone ? zone.value() : plan_.places - 1) == place;
  };
  if (kind_ == Kind::Split) return nodes;
  if (kind_ == Kind::Keys && keys_need_every_node()) {
    for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
      if (in_place(NodeIndex(n))) nodes.push_back(NodeIndex(n));
    }
    return nodes;
  }
  const bool by_node = kind_ != Kind::Hints || service_.policy == PolicyKind::PreferSameNode ||
                       service_.policy == PolicyKind::TopologyKeys;
  if (!by_node) return nodes;
  for (const Endpoint& endpoint : endpoints_) {
    if (endpoint.node && in_place(endpoint.node)) nodes.push_back(endpoint.node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Route RouteView::route_from_node(NodeIndex node) const {
  const ZoneIndex zone = plan_.snapshot->nodes[node.value()].zone;
  return route(node, zone ? zone.value() : plan_.places - 1);
}

Route RouteView::route_from_place(std::size_t place) const { return route(NodeIndex(), place); }

Route RouteView::route(NodeIndex node, std::size_t place) const {
  if (usable_ == 0) return {.picks = {}, .notes = {{.reason = Reason::NoEndpoints}}};
  switch (kind_) {
    case Kind::Split:
      return falls_back_ ? by_hints(node, place) : by_split(place);
    case Kind::NodeFirst:
      return by_node_first(node, place);
    case Kind::Keys:
      return by_keys(node, place);
    case Kind::LocalOnly:
      return by_local_policy(node);
    case Kind::Hints:
      break;
  }
  return by_hints(node, place);
}

policy::Selection RouteView::select(NodeIndex node, std::size_t place, bool local_only) const {
  std::vector<policy::Candidate> seen = candidates_;
  for (std::size_t e = 0; e < seen.size(); ++e) {
    seen[e].local = node.has_value() && endpoints_[e].node == node;
  }
  return policy::select_endpoints(
      {.endpoints = seen,
       .internal_policy_local = local_only,
       .uses_hints = plan_.options.defaults.auto_options.enabled,
       .node = node,
       .zone = place + 1 < plan_.places ? ZoneIndex(place) : ZoneIndex()});
}

Route RouteView::by_hints(NodeIndex node, std::size_t place) const {
  if (all_hint_their_node_ && plan_.options.defaults.auto_options.enabled) {
    if (auto near = ready_on(node, Reason::UsesNodeHints)) return std::move(*near);
  }
  const policy::Selection selection = select(node, place, false);
  Route route = spread_evenly(selection.cluster);
  route.notes.push_back(selection.why);
  return route;
}

Route RouteView::by_local_policy(NodeIndex node) const {
  if (auto near = ready_on(node, Reason::LocalEndpointsOnly)) return std::move(*near);
  const policy::Selection selection = select(node, plan_.places - 1, true);
  if (selection.local.empty()) {
    return {.picks = {}, .notes = {{.reason = Reason::NoLocalEndpoint}}};
  }
  Route route = spread_evenly(selection.local);
  route.notes.push_back(selection.why_local);
  return route;
}

double RouteView::weight_in_place(std::size_t endpoint) const {
  const bool by_count =
      service_.policy == PolicyKind::ZoneAware &&
      plan_.options.defaults.zone_aware.basis == policy::LocalityBasis::HealthyHostsNum;
  return by_count ? 1 : static_cast<double>(endpoints_[endpoint].weight);
}

Route RouteView::by_split(std::size_t place) const {
  const auto row = plan_.split_of(service_).subspan(place * plan_.places, plan_.places);
  std::vector<double> weight_in(plan_.places, 0);
  for (std::size_t e = 0; e < endpoints_.size(); ++e) {
    if (is_usable(e)) weight_in[place_of(e)] += weight_in_place(e);
  }
  // A place that starts no traffic today has no row of its own; whoever starts some tomorrow is
  // spread over everyone until the next plan.
  const double total = demand().by_place[place];
  const bool has_row = total > 0;
  double all_weight = 0;
  for (double weight : weight_in) all_weight += weight;

  Route route;
  for (std::size_t e = 0; e < endpoints_.size(); ++e) {
    if (!is_usable(e)) continue;
    const std::size_t to = place_of(e);
    const double place_share = has_row ? row[to] / total : weight_in[to] / all_weight;
    const double share = place_share * weight_in_place(e) / weight_in[to];
    if (share > 0) route.picks.push_back({static_cast<std::uint32_t>(e), share});
  }
  route.notes.push_back({.reason = Reason::UsesSplit,
                         .share = has_row ? row[place] / total : weight_in[place] / all_weight});
  return route;
}

// The node keeps what its own endpoints may take; the rest follows the split of what is left.
Route RouteView::by_node_first(NodeIndex node, std::size_t place) const {
  const policy::NodeFirstPlan& made = node_first_.plan;
  const double demand_here = node ? demand().by_node[node.value()] : 0;
  const policy::KeptOnNode* own = nullptr;
  for (const policy::KeptOnNode& kept : made.kept) {
    if (node && demand_here > 0 && kept.node == node.value()) own = &kept;
  }
  const double stays = own != nullptr ? std::min(1.0, own->share / demand_here) : 0;
  double total_weight = 0;
  for (float weight : ready_.weight) total_weight += static_cast<double>(weight);

  Route route;
  for (std::size_t i = 0; i < ready_.index.size(); ++i) {
    const double weight = static_cast<double>(ready_.weight[i]) / total_weight;
    double share = 0;
    if (own != nullptr && ready_.node[i] == own->node) share = stays * weight / own->weight;
    const double left = made.left[place];
    const double flows = left > 0 ? made.split[place * plan_.places + ready_.place[i]] / left : 0;
    // A place whose nodes keep everything has no row; stray traffic is spread over everyone.
    const double away = left > 0 ? flows * made.zone_part[i] : weight;
    share += (1 - stays) * away;
    if (share > 0) route.picks.push_back({ready_.index[i], share});
  }
  route.notes.push_back({.reason = Reason::BalancedNodeFirst, .share = stays});
  return route;
}

std::span<const std::string_view> RouteView::keys() const {
  return std::span(plan_.topology_keys).subspan(service_.keys.begin, service_.keys.size);
}

// Host and zone are known of a place and of the nodes that carry endpoints; for any other label
// every node may differ.
bool RouteView::keys_need_every_node() const {
  const auto known = [](std::string_view key) {
    return key == model::kHostnameLabel || key == model::kZoneLabel || key == policy::kAnyTopology;
  };
  const auto all = keys();
  return !std::all_of(all.begin(), all.end(), known);
}

Route RouteView::by_keys(NodeIndex node, std::size_t place) const {
  const Snapshot& snapshot = *plan_.snapshot;
  std::vector<std::uint32_t> usable;
  for (std::size_t e = 0; e < endpoints_.size(); ++e) {
    if (is_usable(e)) usable.push_back(static_cast<std::uint32_t>(e));
  }
  const bool labels_known =
      node ? snapshot.nodes[node.value()].labels.size > 0 : place + 1 < plan_.places;
  auto choice = policy::choose_by_topology_keys(
      {.keys = keys(),
       .node_known = labels_known,
       .node_label = [&](std::string_view key) { return node_label(node, place, key); },
       .endpoint_label = [&](std::size_t e,
                             std::string_view key) { return endpoint_label(usable[e], key); },
       .endpoint_count = usable.size()});
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t e : choice.endpoints) chosen.push_back(usable[e]);
  Route route;
  if (!chosen.empty()) route = spread_evenly(chosen);
  route.notes.push_back(choice.why);
  route.notes.insert(route.notes.end(), choice.passed_over.begin(), choice.passed_over.end());
  return route;
}

namespace {

std::uint32_t number_of(NameId name) {
  return name ? static_cast<std::uint32_t>(name.value()) : policy::kNoValue;
}

NameId label_of_node(const Snapshot& snapshot, NodeIndex node, std::string_view key) {
  const NameId id = snapshot.names.find(key);
  if (!node || !id) return {};
  return label_value(Snapshot::part(snapshot.labels, snapshot.nodes[node.value()].labels), id);
}

}  // namespace

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
std::uint32_t RouteView::endpoint_label(std::size_t endpoint, std::string_view key) const {
  const Snapshot& snapshot = *plan_.snapshot;
  const Endpoint& one = endpoints_[endpoint];
  if (key == model::kHostnameLabel) {
    return one.node ? number_of(snapshot.nodes[one.node.value()].name) : policy::kNoValue;
  }
  if (key == model::kZoneLabel) {
    return one.zone ? number_of(snapshot.zones[one.zone.value()].name) : policy::kNoValue;
  }
  return number_of(label_of_node(snapshot, one.node, key));
}

}  // namespace proxima::plan
