// SPDX-License-Identifier: Apache-2.0
#include "core/plan/service_planner.h"

#include <algorithm>
#include <cmath>

#include "base/whole_number.h"
#include "core/plan/node_first_plan.h"
#include "core/policy/topology_keys.h"
#include "core/policy/traffic_policies.h"

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::EndpointSlice;
using model::Range;
using model::Service;
using model::ServiceIndex;
using model::Snapshot;
using model::ZoneIndex;
using policy::PolicyKind;
using policy::Reason;
using policy::Settings;

Range appended_since(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

// Slices of one service are contiguous, IPv4 first; so are their endpoints.
Range slices_of_family(const Snapshot& snapshot, const Service& service, IpFamily family) {
  Range range{service.slices.begin, 0};
  for (const EndpointSlice& slice : Snapshot::part(snapshot.slices, service.slices)) {
    if (slice.family == family) ++range.size;
    if (slice.family != family && range.size == 0) ++range.begin;
  }
  return range;
}

Range endpoints_of_slices(const Snapshot& snapshot, Range slices) {
  Range range;
  for (const EndpointSlice& slice : Snapshot::part(snapshot.slices, slices)) {
    if (range.size == 0) range.begin = slice.endpoints.begin;
    range.size += slice.endpoints.size;
  }
  return range;
}

std::uint32_t count_planned(const Snapshot& snapshot, Range slices) {
  std::uint32_t count = 0;
  for (const EndpointSlice& slice : Snapshot::part(snapshot.slices, slices))
    count += slice.foreign ? 0 : slice.endpoints.size;
  return count;
}

// Hints are there now when every ready endpoint has one: then the threshold to stop applies.
bool are_hinted(std::span<const Endpoint> endpoints) {
  bool any = false;
  for (const Endpoint& endpoint : endpoints) {
    if (!is_ready_for_hints(endpoint)) continue;
    if (endpoint.zone_hint_count == 0) return false;
    any = true;
  }
  return any;
}

// Whether Envoy's rule prefers the own zone; otherwise one of its preconditions does not hold.
bool routes_by_zone(Reason reason) {
  return reason == Reason::ZoneAwareDirect || reason == Reason::ZoneAwareForcedLocal ||
         reason == Reason::ZoneAwareResidual || reason == Reason::ZoneAwareNoCapacityLeft;
}

std::uint64_t whole_weight(const Endpoint& endpoint) {
  return std::max<std::uint64_t>(1, rounded_count(endpoint.weight * 1000.0));
}

}  // namespace

std::vector<ServicePlan> unplanned_families(const Snapshot& snapshot, ServiceIndex index) {
  const Service& service = snapshot.services[index.value()];
  std::vector<ServicePlan> families;
  for (IpFamily family : {IpFamily::V4, IpFamily::V6}) {
    ServicePlan one{.service = index, .family = family};
    one.slices = slices_of_family(snapshot, service, family);
    if (one.slices.size == 0) continue;
    one.endpoints = endpoints_of_slices(snapshot, one.slices);
    one.planned = count_planned(snapshot, one.slices);
    const bool has_planned = !snapshot.slices[one.slices.begin].foreign;
    const Range counted{one.endpoints.begin, has_planned ? one.planned : one.endpoints.size};
    const auto endpoints = Snapshot::part(snapshot.endpoints, counted);
    one.ready = static_cast<std::uint32_t>(
        std::count_if(endpoints.begin(), endpoints.end(), model::is_ready_for_proxy));
    families.push_back(one);
  }
  if (families.empty())
    families.push_back({.service = index, .family = service.has_v4 ? IpFamily::V4 : IpFamily::V6});
  return families;
}

ServicePlanner::ServicePlanner(ClusterPlan& plan) : plan_(plan), snapshot_(*plan.snapshot) {
  for (const auto& zone : snapshot_.zones) {
    const std::size_t region = zone.region ? zone.region.value() : snapshot_.regions.size();
    regions_.push_back(static_cast<std::uint32_t>(region));
  }
}

void ServicePlanner::plan(ServiceIndex index, const PublishedNow& published) {
  now_ = published;
  const Service& service = snapshot_.services[index.value()];
  const auto resolved =
      policy::resolve_settings(snapshot_, service, plan_.options.defaults, plan_.options.forced);
  const std::size_t first_note = plan_.notes.size();
  note(resolved.from);
  plan_.notes.insert(plan_.notes.end(), resolved.chain.begin(), resolved.chain.end());
  ServicePlan draft{.service = index,
                    .policy = resolved.settings.policy,
                    .overload = plan_.options.forced_overload.value_or(resolved.settings.overload),
                    .fallback = resolved.settings.fallback,
                    .node_first = resolved.settings.node_first,
                    .min_local_endpoints = resolved.settings.min_local_endpoints,
                    .accepted = resolved.accepted,
                    .policy_notes = appended_since(first_note, plan_.notes.size())};
  bool any = false;
  for (IpFamily family : {IpFamily::V4, IpFamily::V6}) {
    ServicePlan one = draft;
    one.family = family;
    one.slices = slices_of_family(snapshot_, service, family);
    if (one.slices.size == 0) continue;
    any = true;
    plan_family(resolved, one);
    plan_.services.push_back(one);
  }
  if (any) return;
  const bool external_name = service.type == model::ServiceType::ExternalName;
  draft.why = {.reason = external_name ? Reason::ExternalName : Reason::NoEndpointSlices};
  draft.demand = demand_index(resolved.settings.demand, service);
  draft.family = service.has_v4 ? IpFamily::V4 : IpFamily::V6;
  plan_.services.push_back(draft);
}

// Client demand is one service's own, and the Pods that it was made of go with the service.
void ServicePlanner::forget_services() {
  std::erase_if(demand_by_setting_,
                [](const auto& one) { return one.first.first == policy::DemandSource::Clients; });
  plan_.demands.resize(demand_by_setting_.size());
  plan_.services.clear();
  plan_.hints.clear();
  plan_.splits.clear();
  plan_.notes.clear();
  plan_.topology_keys.clear();
  plan_.failing.clear();
  plan_.shared_zones.clear();
}

void ServicePlanner::plan_family(const policy::ResolvedSettings& resolved, ServicePlan& service) {
  const Settings& settings = resolved.settings;
  service.endpoints = endpoints_of_slices(snapshot_, service.slices);
  service.planned = count_planned(snapshot_, service.slices);
  service.demand = demand_index(settings.demand, snapshot_.services[service.service.value()]);
  count_ready(service);
  const std::size_t first_note = plan_.notes.size();
  note_traffic_policies(snapshot_.services[service.service.value()]);
  // Proxies follow keys in slices of any controller, also when only draining endpoints are left.
  if (settings.policy == PolicyKind::TopologyKeys) plan_topology_keys(settings, service);
  // Planned slices come first.
  const bool has_planned = !snapshot_.slices[service.slices.begin].foreign;
  if (!has_planned) {
    const auto endpoints = Snapshot::part(snapshot_.endpoints, service.endpoints);
    service.ready = static_cast<std::uint32_t>(
        std::count_if(endpoints.begin(), endpoints.end(), model::is_ready_for_proxy));
    service.why = {.reason = Reason::SlicesOfOthers, .count = service.endpoints.size};
  } else if (service.ready == 0) {
    service.why = {.reason = Reason::NoneReady};
    if (settings.policy == PolicyKind::RequireZone && settings.failover) keep_failing(service);
  } else {
    plan_policy(settings, service);
  }
  service.planner_notes = appended_since(first_note, plan_.notes.size());
}

// Of a service with ready endpoints.
void ServicePlanner::plan_policy(const Settings& settings, ServicePlan& service) {
  switch (settings.policy) {
    case PolicyKind::ClusterWide:
      service.why = {.reason = Reason::ClusterWide};
      break;
    case PolicyKind::TopologyKeys:
      break;
    case PolicyKind::Auto:
      plan_auto(settings, service);
      break;
    case PolicyKind::PreferSameZone:
    case PolicyKind::PreferSameNode:
      plan_prefer_same(settings, service);
      break;
    case PolicyKind::ZoneAware:
      plan_zone_aware(settings, service);
      break;
    case PolicyKind::Balanced:
      plan_balanced(service);
      break;
    case PolicyKind::RequireZone:
      plan_require_zone(settings, service);
      break;
  }
}

void ServicePlanner::note_traffic_policies(const Service& service) {
  const auto ports = Snapshot::part(snapshot_.service_ports, service.ports);
  const auto policies = policy::traffic_policies(service, ports);
  if (policies.internal) note(*policies.internal);
  if (policies.external) note(*policies.external);
  if (service.headless) note({.reason = Reason::Headless});
}

void ServicePlanner::plan_auto(const Settings& settings, ServicePlan& service) {
  auto decision = allot_by_cpu(settings, service);
  const bool by_weight =
      service.weighted && (decision.hinted || decision.why.reason == Reason::OverloadTooHigh);
  if (by_weight) decision = allot_by_weight(settings, service);
  service.why = decision.why;
  service.hinted = decision.hinted;
  if (decision.lent > 0 && !by_weight) keep_published_hints(service);
  for (std::size_t e = 0; e < hint_of_.size(); ++e) {
    plan_.hints[service.endpoints.begin + e].zone = hint_of_[e];
  }
  if (decision.lent > 0) {
    note({.reason = Reason::HintsLentToOtherZones, .count = decision.lent});
  }
  const auto& notes = ratios(settings.auto_options.missing).notes;
  plan_.notes.insert(plan_.notes.end(), notes.begin(), notes.end());
}

policy::AutoDecision ServicePlanner::allot_by_cpu(const Settings& settings,
                                                  const ServicePlan& service) {
  bool any_written = false;
  hint_slices_.clear();
  for (const EndpointSlice& slice : Snapshot::part(snapshot_.slices, service.slices)) {
    if (slice.foreign) continue;
    auto state = slice.rewritten ? policy::SliceState::Update : policy::SliceState::Unchanged;
    if (slice.derived) state = policy::SliceState::Create;
    any_written = any_written || state != policy::SliceState::Unchanged;
    hint_slices_.push_back({Snapshot::part(snapshot_.endpoints, slice.endpoints), state});
  }
  hint_of_.resize(service.planned);
  written_.resize(hint_slices_.size());
  policy::AutoOptions options = settings.auto_options;
  options.enabled = options.enabled && settings.gates.topology_aware_hints;
  options.bounds_every_zone = true;
  options.stop_above = std::max(options.stop_above, options.start_below);
  const policy::AutoInput input{.slices = hint_slices_,
                                .hints = snapshot_.hints,
                                .ratios = &ratios(settings.auto_options.missing),
                                .regions = regions_,
                                .options = options,
                                .has_hints_now = is_hinted_now(service)};
  auto decision = policy::auto_hints(input, auto_work_, hint_of_, written_);
  if (!decision.hinted) return decision;
  // Nothing is written and no zone is overloaded beyond the threshold to stop: all stays, also
  // where a zone has come to have more than its maximum.
  const double overload = any_written ? HUGE_VAL : published_overload(service, *input.ratios);
  if (overload <= options.stop_above) return kept_as_published(decision, overload);
  if (any_written && decision.expected_overload <= options.stop_above) return decision;
  if (!any_written && published_.empty()) return decision;
  // Slices that stay are measured by what a zone may have at most, so a zone can be left with less
  // than it needs. Then no slice has a claim to stay.
  for (policy::HintSlice& slice : hint_slices_) {
    if (slice.state == policy::SliceState::Unchanged) slice.state = policy::SliceState::Update;
  }
  return policy::auto_hints(input, auto_work_, hint_of_, written_);
}

// The overload of the worst zone with the hints that are there; infinite, and published_ empty,
// when they are not one for each ready endpoint.
double ServicePlanner::published_overload(const ServicePlan& service,
                                          const policy::CpuRatios& cpu) {
  const auto endpoints = endpoints_of(service);
  ready_.collect(endpoints, plan_.places, model::is_ready_for_hints);
  collect_published(service);
  hinted_in_.assign(snapshot_.zones.size(), 0);
  const auto weight_of = [&](std::size_t ready) {
    return ready_.alike ? 1.0 : static_cast<double>(ready_.weight[ready]);
  };
  for (std::size_t i = 0; i < published_.size(); ++i) {
    const bool whole =
        published_[i] != policy::kNotPublished && endpoints[ready_.index[i]].node_hint_count == 0;
    if (!whole) published_.clear();
    if (whole) hinted_in_[published_[i]] += weight_of(i);
  }
  double total = 0;
  for (std::size_t i = 0; i < ready_.index.size(); ++i) total += weight_of(i);
  double worst = published_.empty() ? HUGE_VAL : 0;
  for (const ZoneIndex zone : cpu.zones) {
    const double fair = cpu.by_zone[zone.value()] * total;
    const double hinted = hinted_in_[zone.value()];
    worst = std::max(worst, hinted > 0 ? fair / hinted - 1 : HUGE_VAL);
  }
  return worst;
}

policy::AutoDecision ServicePlanner::kept_as_published(policy::AutoDecision decision,
                                                       double overload) {
  decision.lent = 0;
  decision.expected_overload = overload;
  if (decision.why.reason == Reason::HintsAssigned) decision.why.reason = Reason::HintsKept;
  for (std::size_t i = 0; i < published_.size(); ++i) {
    hint_of_[ready_.index[i]] = ZoneIndex(published_[i]);
    decision.lent += published_[i] != ready_.place[i] ? 1 : 0;
  }
  std::fill(written_.begin(), written_.end(), static_cast<unsigned char>(0));
  return decision;
}

// In the slices that `auto` would write: whichever endpoint of a zone is lent is all the same.
void ServicePlanner::keep_published_hints(const ServicePlan& service) {
  const auto endpoints = endpoints_of(service);
  ready_.collect(endpoints, plan_.places, model::is_ready_for_hints);
  collect_published(service);
  if (published_.empty()) return;
  hinted_place_.clear();
  std::size_t kept = 0, slice = 0, end = hint_slices_[0].endpoints.size();
  for (std::size_t i = 0; i < ready_.index.size(); ++i) {
    while (ready_.index[i] >= end) end += hint_slices_[++slice].endpoints.size();
    if (written_[slice] == 0) continue;
    ready_.index[kept] = ready_.index[i];
    ready_.place[kept] = ready_.place[i];
    published_[kept++] = published_[i];
    hinted_place_.push_back(static_cast<std::uint16_t>(hint_of_[ready_.index[i]].value()));
  }
  policy::keep_published(
      {std::span(ready_.place).first(kept), {}, std::span(published_).first(kept)}, published_work_,
      hinted_place_);
  for (std::size_t i = 0; i < kept; ++i) hint_of_[ready_.index[i]] = ZoneIndex(hinted_place_[i]);
}

void ServicePlanner::collect_published(const ServicePlan& service) {
  const auto endpoints = endpoints_of(service);
  published_.clear();
  bool any = false;
  for (const std::uint32_t index : ready_.index) {
    const Endpoint& endpoint = endpoints[index];
    const std::uint32_t zone =
        endpoint.zone_hint_count == 1 ? snapshot_.hints[endpoint.hints] : policy::kNotPublished;
    const bool known = zone < snapshot_.zones.size();
    published_.push_back(known ? static_cast<std::uint16_t>(zone) : policy::kNotPublished);
    any = any || known;
  }
  if (!any) published_.clear();
}

bool ServicePlanner::is_hinted_now(const ServicePlan& service) const {
  const auto& known = now_.of(service.family).hinted;
  return known ? *known : are_hinted(endpoints_of(service));
}

void ServicePlanner::hint_own_places(ServicePlan& service, bool zones, bool nodes) {
  const auto endpoints = endpoints_of(service);
  service.hinted = true;
  for (std::size_t e = 0; e < endpoints.size(); ++e) {
    if (!is_ready_for_hints(endpoints[e])) continue;
    auto& hint = plan_.hints[service.endpoints.begin + e];
    if (zones) hint.zone = endpoints[e].zone;
    hint.for_own_node = nodes && endpoints[e].node.has_value();
    service.hinted = service.hinted && (!zones || hint.zone);
  }
}

// The first such zone is named; nothing else is wrong with the plan.
void ServicePlanner::tell_zone_without_endpoints(ZoneIndex zone, ServicePlan& service) const {
  if (service.why.reason == Reason::SameZone) {
    const auto& demand = plan_.demands[service.demand].by_place;
    const auto zones =
        std::count_if(demand.begin(), demand.end() - 1, [](double share) { return share > 0; });
    service.why = {.reason = Reason::SameZoneNotEverywhere,
                   .subject = snapshot_.zone_name(zone),
                   .zones = zones};
  }
  if (service.why.reason == Reason::SameZoneNotEverywhere) ++service.why.count;
}

void ServicePlanner::plan_prefer_same(const Settings& settings, ServicePlan& service) {
  const bool nodes = settings.policy == PolicyKind::PreferSameNode;
  hint_own_places(service, true, nodes && settings.gates.prefer_same_traffic_distribution);
  service.why = {.reason = nodes ? Reason::SameNode : Reason::SameZone};
  if (const auto unplaced = ready_in_[snapshot_.zones.size()]; unplaced > 0) {
    service.why = {.reason = Reason::EndpointZoneUnknown, .count = unplaced};
  }
  const auto& demand = plan_.demands[service.demand].by_place;
  shared_with_.assign(snapshot_.zones.size(), {});
  for (std::size_t zone = 0; zone < snapshot_.zones.size(); ++zone) {
    if (ready_in_[zone] > 0 || falls_back_to_region(settings, ZoneIndex(zone), service)) continue;
    if (demand[zone] <= 0) continue;
    note({.reason = Reason::BalancedNoLocalEndpoints,
          .subject = snapshot_.zone_name(ZoneIndex(zone))});
    tell_zone_without_endpoints(ZoneIndex(zone), service);
  }
  write_shared_hints(service);
}

// The keys themselves are followed by the Proxima proxy on each node; the lists that today's hints
// can express are published for the others as well.
void ServicePlanner::plan_topology_keys(const Settings& settings, ServicePlan& service) {
  const auto& keys = settings.topology_keys;
  service.keys = {static_cast<std::uint32_t>(plan_.topology_keys.size()),
                  static_cast<std::uint32_t>(keys.size())};
  plan_.topology_keys.insert(plan_.topology_keys.end(), keys.begin(), keys.end());
  service.why = {.reason = Reason::PolicyFromTopologyKeys,
                 .subject = keys.empty() ? policy::kAnyTopology : keys.front()};
  static constexpr std::string_view kZoneAny[] = {model::kZoneLabel, policy::kAnyTopology};
  static constexpr std::string_view kHostZoneAny[] = {model::kHostnameLabel, model::kZoneLabel,
                                                      policy::kAnyTopology};
  if (std::ranges::equal(keys, kZoneAny)) hint_own_places(service, true, false);
  if (std::ranges::equal(keys, kHostZoneAny)) {
    hint_own_places(service, true, settings.gates.prefer_same_traffic_distribution);
  }
  if (keys.empty()) service.why = {.reason = Reason::ClusterWide};
}

void ServicePlanner::plan_zone_aware(const Settings& settings, ServicePlan& service) {
  const auto& demand = plan_.demands[service.demand];
  zone_aware_places_.assign(plan_.places, {});
  for (std::size_t place = 0; place < plan_.places; ++place) {
    zone_aware_places_[place].originating_total = demand.all_units[place];
    zone_aware_places_[place].originating_healthy = demand.units[place];
  }
  for (const Endpoint& endpoint : endpoints_of(service)) {
    auto& place = zone_aware_places_[endpoint.zone ? endpoint.zone.value() : plan_.places - 1];
    ++place.upstream_total;
    place.upstream_total_weight =
        saturating_sum(place.upstream_total_weight, whole_weight(endpoint));
    if (is_ready_for_proxy(endpoint)) {
      ++place.upstream_healthy;
      place.upstream_healthy_weight =
          saturating_sum(place.upstream_healthy_weight, whole_weight(endpoint));
    } else if (is_terminating(endpoint)) {
      ++place.upstream_excluded;
    }
  }
  const auto split = new_split(service);
  double local = 0;
  bool looks_at_zones = false, rejects = false;
  for (std::size_t own = 0; own < plan_.places; ++own) {
    const auto row = split.subspan(own * plan_.places, plan_.places);
    if (demand.by_place[own] <= 0) continue;
    const bool placed = own + 1 < plan_.places;
    const auto made = policy::zone_aware_row(
        zone_aware_places_, placed ? std::optional(own) : std::nullopt, settings.zone_aware, row);
    for (double& share : row) share *= demand.by_place[own];
    local += row[own];
    looks_at_zones = looks_at_zones || routes_by_zone(made.why.reason);
    rejects = rejects || made.why.reason == Reason::ZoneAwareFailsInPanic;
    // One reason for the whole service: the first zone's, unless some zone has to export.
    const bool first = service.why.reason == Reason::ClusterWide;
    if (first || made.why.reason == Reason::ZoneAwareResidual) service.why = made.why;
  }
  if (service.why.reason == Reason::ZoneAwareResidual) service.why.share = local;
  if (looks_at_zones) return hint_split(service);
  // Where no zone is routed by zone, every ready endpoint is used alike. Hints would say otherwise.
  if (!rejects) drop_split(service);
  if (service.why.reason != Reason::ZoneAwareUpstreamPanic || !settings.panic_uses_all) return;
  service.why.reason = Reason::ZoneAwarePanicUsesAll;
  service.ignores_health = true;
}

void ServicePlanner::plan_balanced(ServicePlan& service) {
  if (snapshot_.zones.empty() && !service.node_first) {
    service.why = {.reason = Reason::NoZones};
    return;
  }
  note_places(service);
  const auto outcome = service.node_first ? split_nodes_first(service) : split_over_places(service);
  const double cross = std::max(0.0, 1 - outcome.local_share);
  service.why = {.reason = cross < 1e-9 ? Reason::BalancedAllLocal : Reason::BalancedSpill,
                 .share = cross,
                 .limit = service.overload};
  hint_split(service);
  const auto& demand_notes = plan_.demands[service.demand].notes;
  plan_.notes.insert(plan_.notes.end(), demand_notes.begin(), demand_notes.end());
}

// Says which zones have too few endpoints, and keeps their traffic from preferring to stay.
void ServicePlanner::note_places(const ServicePlan& service) {
  const auto& demand = plan_.demands[service.demand].by_place;
  may_stay_.assign(plan_.places, 1);
  for (std::size_t zone = 0; zone < snapshot_.zones.size(); ++zone) {
    if (demand[zone] <= 0) continue;
    const auto name = snapshot_.zone_name(ZoneIndex(zone));
    const std::uint32_t ready = ready_in_[zone];
    if (ready == 0) note({.reason = Reason::BalancedNoLocalEndpoints, .subject = name});
    if (may_stay(ready, service.min_local_endpoints)) continue;
    may_stay_[zone] = 0;
    note({.reason = Reason::BalancedBelowMinLocal,
          .subject = name,
          .count = ready,
          .limit = static_cast<double>(service.min_local_endpoints)});
  }
  if (ready_in_.back() > 0) note({.reason = Reason::UnplacedEndpoints, .count = ready_in_.back()});
}

policy::BalancedOutcome ServicePlanner::split_over_places(ServicePlan& service) {
  double total = 0;
  for (double weight : weight_in_) total += weight;
  for (double& weight : weight_in_) weight /= total;
  const policy::BalancedInput input{.demand = plan_.demands[service.demand].by_place,
                                    .capacity = weight_in_,
                                    .overload = service.overload,
                                    .price = plan_.prices.for_balancing(),
                                    .may_stay = may_stay_};
  return policy::balanced_split(input, balanced_work_, new_split(service));
}

// The split of the plan counts what stays on its node as staying in its place; the nodes
// themselves know how much they keep (core/plan/route).
policy::BalancedOutcome ServicePlanner::split_nodes_first(ServicePlan& service) {
  if (node_place_.empty()) node_place_ = node_places(snapshot_);
  ready_.collect(endpoints_of(service), plan_.places, model::is_ready_for_proxy);
  const auto& made =
      plan_nodes_first(plan_, service, ready_, node_place_, may_stay_, node_first_work_);
  const auto split = new_split(service);
  std::copy(made.split.begin(), made.split.end(), split.begin());
  for (const policy::KeptOnNode& kept : made.kept) {
    const std::size_t place = node_place_[kept.node];
    split[place * plan_.places + place] += kept.share;
  }
  note({.reason = Reason::BalancedNodeFirst, .share = made.node_share});
  return {
      .local_share = made.local_share, .worst_overload = made.worst_overload, .cost = made.cost};
}

void ServicePlanner::hint_split(ServicePlan& service) {
  ready_.collect(endpoints_of(service), plan_.places, model::is_ready_for_hints);
  if (ready_.index.empty()) return;
  hinted_place_.resize(ready_.index.size());
  collect_published(service);
  const auto made = policy::balanced_hints({.demand = plan_.demands[service.demand].by_place,
                                            .place = ready_.place,
                                            .weight = ready_.weights(),
                                            .overload = service.overload,
                                            .price = plan_.prices.for_balancing(),
                                            .published = published_},
                                           balanced_hints_work_, hinted_place_);
  note(made.why);
  service.hinted = made.hinted;
  for (std::size_t i = 0; made.hinted && i < hinted_place_.size(); ++i) {
    plan_.hints[service.endpoints.begin + ready_.index[i]].zone = ZoneIndex(hinted_place_[i]);
  }
}

// Those that are planned.
std::span<const Endpoint> ServicePlanner::endpoints_of(const ServicePlan& service) const {
  return Snapshot::part(snapshot_.endpoints, {service.endpoints.begin, service.planned});
}

void ServicePlanner::count_ready(ServicePlan& service) {
  ready_in_.assign(plan_.places, 0);
  weight_in_.assign(plan_.places, 0);
  const auto endpoints = endpoints_of(service);
  for (const Endpoint& endpoint : endpoints) {
    service.weighted = service.weighted || endpoint.weight != endpoints.front().weight;
    if (!is_ready_for_proxy(endpoint)) continue;
    const std::size_t place = endpoint.zone ? endpoint.zone.value() : plan_.places - 1;
    ++ready_in_[place];
    weight_in_[place] += endpoint.weight;
    ++service.ready;
  }
}

std::span<double> ServicePlanner::new_split(ServicePlan& service) {
  service.split = static_cast<std::int64_t>(plan_.splits.size());
  plan_.splits.resize(plan_.splits.size() + plan_.places * plan_.places, 0);
  return std::span(plan_.splits).last(plan_.places * plan_.places);
}

// The one that was made last.
void ServicePlanner::drop_split(ServicePlan& service) {
  plan_.splits.resize(static_cast<std::size_t>(service.split));
  service.split = -1;
}

std::uint32_t ServicePlanner::demand_index(const policy::DemandSetting& setting,
                                           const Service& service) {
  std::pair<policy::DemandSource, std::string> key(setting.source, {});
  if (setting.source == policy::DemandSource::Clients)
    key.second = policy::client_workload(setting.clients, snapshot_.namespace_name(service.ns));
  if (const auto found = demand_by_setting_.find(key); found != demand_by_setting_.end())
    return found->second;
  plan_.demands.push_back(plan_demand(snapshot_, {key.first, key.second}, plan_.options.measured));
  const auto index = static_cast<std::uint32_t>(plan_.demands.size() - 1);
  demand_by_setting_.emplace(std::move(key), index);
  return index;
}

const policy::CpuRatios& ServicePlanner::ratios(policy::MissingNodeData missing) {
  const auto found = ratios_.find(missing);
  if (found != ratios_.end()) return found->second;
  return ratios_
      .emplace(missing, policy::cpu_ratios(snapshot_.nodes, snapshot_.zones.size(), missing,
                                           snapshot_.names))
      .first->second;
}

}  // namespace proxima::plan
