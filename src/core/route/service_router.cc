// SPDX-License-Identifier: Apache-2.0
#include "core/route/service_router.h"

#include <algorithm>

#include "core/model/labels.h"
#include "core/policy/topology_keys.h"

namespace proxima::route {
namespace {

using policy::Note;
using policy::Reason;

bool is_draining(const PublishedEndpoint& endpoint) {
  return endpoint.serving && endpoint.terminating;
}

Note note(Reason reason, std::size_t count) {
  return {.reason = reason, .count = static_cast<std::int64_t>(count)};
}

Route spread_evenly(std::span<const std::uint32_t> endpoints, const Note& why) {
  Route route;
  route.notes.push_back(why);
  route.picks.reserve(endpoints.size());
  const double share = endpoints.empty() ? 0 : 1.0 / static_cast<double>(endpoints.size());
  for (const std::uint32_t endpoint : endpoints) route.picks.push_back({endpoint, share});
  return route;
}

// Of shares that were added up, or are proportions only.
void make_whole(Route& route) {
  double total = 0;
  for (const Pick& pick : route.picks) total += pick.share;
  for (Pick& pick : route.picks) pick.share /= total;
}

template <class Index>
Index index_of(std::uint32_t number) {
  return number == kUnknown ? Index() : Index(number);
}

}  // namespace

ServiceRouter::ServiceRouter(const PublishedService& service) : service_(service) {
  std::size_t hinted = 0;
  for (const PublishedEndpoint& endpoint : service.endpoints) {
    has_hints_ = has_hints_ || !endpoint.zone_hints.empty() || !endpoint.node_hints.empty();
    has_tier_ = has_tier_ || endpoint.kept_on_node > 0;
    ready_ += endpoint.ready ? 1 : 0;
    draining_ += !endpoint.ready && is_draining(endpoint) ? 1 : 0;
    const bool hints_its_node =
        endpoint.node_hints.size() == 1 && endpoint.node_hints.front() == endpoint.node;
    hinted += endpoint.ready && hints_its_node ? 1 : 0;
    uses_unready_ = uses_unready_ || (service.ignores_health && !endpoint.terminating);
    weighted_ = weighted_ || endpoint.weight != service.endpoints.front().weight;
  }
  all_hint_their_node_ = ready_ > 0 && hinted == ready_;
  if (service.split.empty()) return;
  for (const PublishedEndpoint& endpoint : service.endpoints) {
    if (!endpoint.ready) continue;
    const auto at = std::find_if(inflow_by_zone_.begin(), inflow_by_zone_.end(),
                                 [&](const auto& one) { return one.first == endpoint.zone; });
    if (at == inflow_by_zone_.end()) {
      inflow_by_zone_.emplace_back(endpoint.zone, endpoint.inflow);
    } else {
      at->second += endpoint.inflow;
    }
  }
}

void ServiceRouter::index_nodes() {
  ready_by_node_.clear();
  if (!uses_own_endpoints()) return;
  for (std::size_t e = 0; e < service_.endpoints.size(); ++e) {
    const PublishedEndpoint& endpoint = service_.endpoints[e];
    if (endpoint.ready && endpoint.node != kUnknown)
      ready_by_node_.emplace_back(endpoint.node, static_cast<std::uint32_t>(e));
  }
  std::sort(ready_by_node_.begin(), ready_by_node_.end());
}

bool ServiceRouter::uses_own_endpoints() const {
  const bool by_node_hints = all_hint_their_node_ && service_.uses_hints &&
                             !service_.follows_keys && !service_.ignores_health &&
                             !service_.requires_zone && service_.split.empty();
  return !service_.externally_accessible && (service_.internal_policy_local || by_node_hints);
}

std::optional<NodeRoute> ServiceRouter::own_endpoints(const RoutingNode& node) const {
  if (ready_by_node_.empty()) return std::nullopt;
  const bool is_local = service_.internal_policy_local;
  std::vector<std::uint32_t> found;
  for (auto at = std::lower_bound(ready_by_node_.begin(), ready_by_node_.end(),
                                  std::pair(node.node, std::uint32_t{0}));
       at != ready_by_node_.end() && at->first == node.node; ++at)
    found.push_back(at->second);
  if (found.empty()) return std::nullopt;
  const Reason reason = is_local ? Reason::LocalEndpointsOnly : Reason::UsesNodeHints;
  NodeRoute route{.has_any = true, .cluster = {}, .local = {}};
  const Note why = note(reason, found.size());
  (is_local ? route.local : route.cluster) =
      is_local ? spread_evenly(found, why) : spread(found, why);
  return route;
}

bool ServiceRouter::is_usable(std::size_t endpoint) const {
  const PublishedEndpoint& one = service_.endpoints[endpoint];
  if (one.listed_elsewhere) return false;
  return (service_.ignores_health && !one.terminating) || one.ready ||
         (ready_ == 0 && is_draining(one));
}

// Without a hint on any endpoint, and where nothing has to stay on its node, there is nothing to
// select: every ready endpoint is used.
std::optional<NodeRoute> ServiceRouter::all_ready() const {
  const bool is_plain = !has_hints_ && !service_.internal_policy_local &&
                        !(service_.external_policy_local && service_.externally_accessible);
  if (!is_plain || ready_ == 0) return std::nullopt;
  NodeRoute route{.has_any = true, .cluster = Route(), .local = {}};
  route.cluster->notes.push_back(note(Reason::ClusterWide, ready_));
  route.cluster->picks.reserve(ready_);
  const double share = 1.0 / static_cast<double>(ready_);
  for (std::size_t e = 0; e < service_.endpoints.size(); ++e)
    if (service_.endpoints[e].ready)
      route.cluster->picks.push_back({static_cast<std::uint32_t>(e), share});
  return route;
}

policy::Selection ServiceRouter::select(const RoutingNode& node) const {
  if (candidates_.empty()) {
    candidates_.reserve(service_.endpoints.size());
    for (const PublishedEndpoint& endpoint : service_.endpoints) {
      candidates_.push_back({.ready = endpoint.ready,
                             .serving = endpoint.serving,
                             .terminating = endpoint.terminating,
                             .local = false,
                             .zone_hints = endpoint.zone_hints,
                             .node_hints = endpoint.node_hints});
    }
  }
  for (std::size_t e = 0; e < candidates_.size(); ++e)
    candidates_[e].local = node.node != kUnknown && service_.endpoints[e].node == node.node;
  return policy::select_endpoints({.endpoints = candidates_,
                                   .internal_policy_local = service_.internal_policy_local,
                                   .external_policy_local = service_.external_policy_local,
                                   .externally_accessible = service_.externally_accessible,
                                   .uses_hints = service_.uses_hints,
                                   .node = index_of<model::NodeIndex>(node.node),
                                   .zone = index_of<model::ZoneIndex>(node.zone)});
}

NodeRoute ServiceRouter::from(const RoutingNode& node) const {
  if (auto own = own_endpoints(node)) return std::move(*own);
  if (auto split = split_at_once(node)) return std::move(*split);
  if (auto all = all_ready()) {
    all->cluster = refine(node, std::move(*all->cluster));
    return std::move(*all);
  }
  const policy::Selection selection = select(node);
  NodeRoute route{.has_any = selection.has_any || uses_unready_, .cluster = {}, .local = {}};
  if (selection.uses_local) route.local = spread_evenly(selection.local, selection.why_local);
  if (!selection.uses_cluster) return route;
  route.cluster = spread(selection.cluster, selection.why);
  if (route.has_any) route.cluster = refine(node, std::move(*route.cluster));
  return route;
}

// A split goes before hints, so these need not be looked at, unless its zones are all empty.
std::optional<NodeRoute> ServiceRouter::split_at_once(const RoutingNode& node) const {
  const bool may_stay_local = service_.internal_policy_local || service_.external_policy_local;
  if (may_stay_local || service_.follows_keys || service_.ignores_health ||
      service_.requires_zone || ready_ == 0)
    return std::nullopt;
  const SplitRow* row = row_of(node.zone);
  const double kept = kept_on(node);
  if (row == nullptr && kept <= 0) return std::nullopt;
  NodeRoute route{.has_any = true, .cluster = by_split(node, row, kept), .local = {}};
  if (route.cluster->picks.empty() && !(row != nullptr && row->to.empty())) return std::nullopt;
  return route;
}

// Decides for cluster-wide traffic where more than hints is said.
Route ServiceRouter::refine(const RoutingNode& node, Route by_hints) const {
  if (service_.follows_keys) return by_keys(node);
  if (service_.requires_zone) return by_required_zone(node);
  if (service_.ignores_health) return over_all(Reason::ZoneAwarePanicUsesAll);
  const Reason decided = by_hints.notes.front().reason;
  // Without a ready endpoint there is nothing left to prefer.
  if (decided == Reason::TerminatingFallback) return by_hints;
  const SplitRow* row = row_of(node.zone);
  const double kept = kept_on(node);
  if (row != nullptr || kept > 0) {
    Route split = by_split(node, row, kept);
    // Zones that the plan sends traffic to may have lost all their endpoints since.
    if (!split.picks.empty() || (row != nullptr && row->to.empty())) return split;
    by_hints.notes.front() = {.reason = Reason::SplitOutOfDate};
    return by_hints;
  }
  if (decided != Reason::ClusterWide) return by_hints;
  if (service_.has_split) return over_all(Reason::NoSplitForZone);
  if (weighted_) by_hints = over_all(decided);
  if (service_.preference != Preference::None) return by_preference(node, std::move(by_hints));
  if (!service_.unreadable_slice.empty())
    by_hints.notes.front() = {.reason = Reason::SplitUnreadable,
                              .subject = service_.unreadable_slice};
  return by_hints;
}

const SplitRow* ServiceRouter::row_of(std::uint32_t zone) const {
  for (const SplitRow& row : service_.split)
    if (row.from == zone) return &row;
  return nullptr;
}

Route ServiceRouter::spread(std::span<const std::uint32_t> endpoints, const Note& why) const {
  Route route = spread_evenly(endpoints, why);
  if (!weighted_) return route;
  for (Pick& pick : route.picks) pick.share = service_.endpoints[pick.endpoint].weight;
  route.alike = false;
  make_whole(route);
  return route;
}

template <class Counts>
Route ServiceRouter::over_usable(const Note& why, Counts counts) const {
  Route route;
  for (std::size_t e = 0; e < service_.endpoints.size(); ++e) {
    if (is_usable(e) && counts(service_.endpoints[e]))
      route.picks.push_back({static_cast<std::uint32_t>(e), service_.endpoints[e].weight});
  }
  route.alike = !weighted_;
  route.notes.push_back(why);
  make_whole(route);
  return route;
}

// Everyone that takes traffic.
Route ServiceRouter::over_all(Reason reason) const {
  Route route = over_usable({.reason = reason}, [](const auto&) { return true; });
  route.notes.back().count = static_cast<std::int64_t>(route.picks.size());
  if (!service_.endpoints.empty())
    route.notes.back().share =
        static_cast<double>(ready_) / static_cast<double>(service_.endpoints.size());
  return route;
}

// A zone that uses others has a row that says so. Every other zone has its own endpoints or none,
// whatever the plan knew of them.
Route ServiceRouter::by_required_zone(const RoutingNode& node) const {
  const SplitRow* row = service_.split_is_failover ? row_of(node.zone) : nullptr;
  if (row != nullptr && ready_ > 0) {
    Route split = by_split(node, row, 0);
    split.notes.front().reason = Reason::FollowsFailover;
    split.notes.front().subject = node.zone_name;
    if (!split.picks.empty()) return split;
  }
  if (node.zone == kUnknown) {
    Route rejected;
    rejected.notes.push_back({.reason = Reason::RequiredZoneUnknown});
    return rejected;
  }
  Route own = over_usable({.reason = Reason::SameZone},
                          [&](const auto& endpoint) { return endpoint.zone == node.zone; });
  if (own.picks.empty())
    own.notes.front() = {.reason = Reason::RequiredZoneRejects, .subject = node.zone_name};
  return own;
}

// Where nothing is published, what the node's own labels say is true of endpoints on it, and its
// region of all that are in its zone.
std::uint32_t ServiceRouter::label_of(const RoutingNode& node, std::size_t endpoint,
                                      std::string_view key) const {
  if (const auto published = service_.endpoint_label(endpoint, key)) return *published;
  const PublishedEndpoint& one = service_.endpoints[endpoint];
  const bool here = node.node != kUnknown && one.node == node.node;
  const bool near = node.zone != kUnknown && one.zone == node.zone;
  return here || (near && key == model::kRegionLabel) ? node.label(key) : kUnknown;
}

Route ServiceRouter::by_keys(const RoutingNode& node) const {
  std::vector<std::uint32_t> usable;
  for (std::size_t e = 0; e < service_.endpoints.size(); ++e)
    if (is_usable(e)) usable.push_back(static_cast<std::uint32_t>(e));
  auto choice = policy::choose_by_topology_keys(
      {.keys = service_.keys,
       .node_known = node.labels_known,
       .node_label = node.label,
       .endpoint_label = [&](std::size_t at,
                             std::string_view key) { return label_of(node, usable[at], key); },
       .endpoint_count = usable.size()});
  for (std::uint32_t& endpoint : choice.endpoints) endpoint = usable[endpoint];
  Route route = spread_evenly(choice.endpoints, choice.why);
  route.notes.insert(route.notes.end(), choice.passed_over.begin(), choice.passed_over.end());
  return route;
}

double ServiceRouter::kept_on(const RoutingNode& node) const {
  double kept = 0;
  if (!has_tier_) return kept;
  for (const PublishedEndpoint& endpoint : service_.endpoints) {
    if (endpoint.ready && node.node != kUnknown && endpoint.node == node.node)
      kept = std::max(kept, endpoint.kept_on_node);
  }
  return kept;
}

// What each zone gets for a unit of inflow of its endpoints, as a share of all that leaves the
// node.
std::vector<SplitShare> ServiceRouter::shares_of(const SplitRow& row) const {
  const auto inflow_of = [&](std::uint32_t zone) {
    for (const auto& [one, inflow] : inflow_by_zone_)
      if (one == zone) return inflow;
    return 0.0;
  };
  std::vector<SplitShare> shares;
  shares.reserve(row.to.size());
  double reached = 0;
  for (const SplitShare& to : row.to) {
    const double inflow = inflow_of(to.zone);
    if (inflow <= 0) continue;
    reached += to.share;
    shares.push_back({to.zone, to.share / inflow});
  }
  for (SplitShare& to : shares) to.share /= reached;
  return shares;
}

// The node keeps what its own endpoints may take; the rest goes to zones as the row says, and there
// to endpoints in proportion to their inflow. A zone whose nodes keep everything has no row.
Route ServiceRouter::by_split(const RoutingNode& node, const SplitRow* row, double kept) const {
  double own_weight = 0, all_weight = 0;
  for (const PublishedEndpoint& endpoint : service_.endpoints) {
    if (!endpoint.ready) continue;
    all_weight += endpoint.weight;
    own_weight += endpoint.node == node.node ? endpoint.weight : 0;
  }
  const std::vector<SplitShare> to_zones =
      row != nullptr ? shares_of(*row) : std::vector<SplitShare>();
  const auto away = [&](const PublishedEndpoint& endpoint) {
    if (row == nullptr) return endpoint.weight / all_weight;
    for (const SplitShare& to : to_zones)
      if (to.zone == endpoint.zone) return to.share * endpoint.inflow;
    return 0.0;
  };
  Route route;
  route.alike = false;
  route.picks.reserve(ready_);
  double stays = 0;
  for (std::size_t e = 0; e < service_.endpoints.size(); ++e) {
    const PublishedEndpoint& endpoint = service_.endpoints[e];
    if (!endpoint.ready) continue;
    double share = (1 - kept) * away(endpoint);
    if (kept > 0 && endpoint.node == node.node) share += kept * endpoint.weight / own_weight;
    if (share <= 0) continue;
    stays += endpoint.zone == node.zone ? share : 0;
    route.picks.push_back({static_cast<std::uint32_t>(e), share});
  }
  if (!route.picks.empty()) make_whole(route);
  const bool has_tier = kept > 0;
  route.notes.push_back({.reason = has_tier ? Reason::BalancedNodeFirst : Reason::UsesSplit,
                         .share = has_tier ? kept : stays});
  return route;
}

// Only where slices say nothing: nearest first, everyone rather than nobody.
Route ServiceRouter::by_preference(const RoutingNode& node, Route otherwise) const {
  const auto ready_where = [&](auto near) {
    std::vector<std::uint32_t> found;
    for (std::size_t e = 0; e < service_.endpoints.size(); ++e) {
      if (service_.endpoints[e].ready && near(service_.endpoints[e]))
        found.push_back(static_cast<std::uint32_t>(e));
    }
    return found;
  };
  if (service_.preference == Preference::SameNode && node.node != kUnknown) {
    const auto here = ready_where([&](const auto& one) { return one.node == node.node; });
    if (!here.empty()) return spread(here, {.reason = Reason::SameNode});
  }
  otherwise.notes.front() = {.reason = node.zone == kUnknown ? Reason::NodeZoneUnknown
                                                             : Reason::NoneInZone};
  if (node.zone == kUnknown) return otherwise;
  const auto near = ready_where([&](const auto& one) { return one.zone == node.zone; });
  return near.empty() ? std::move(otherwise) : spread(near, {.reason = Reason::SameZone});
}

}  // namespace proxima::route
