// SPDX-License-Identifier: Apache-2.0
// ServicePlanner for `require-zone`.
#include <algorithm>

#include "core/plan/route.h"
#include "core/plan/service_planner.h"

namespace proxima::plan {
namespace {

using model::ZoneIndex;
using policy::Note;
using policy::Reason;
using policy::RequiredZone;

WallTime whole_seconds(WallTime time) {
  return std::chrono::time_point_cast<WallTime::duration>(
      std::chrono::floor<std::chrono::seconds>(time));
}

bool is_worse(const Note& a, const Note& b) {
  return policy::text_of(a.reason).severity > policy::text_of(b.reason).severity;
}

}  // namespace

std::vector<route::FailingZone> ServicePlanner::failing_now(const ServicePlan& service) const {
  const auto& known = now_.of(service.family).failing;
  return known ? *known : published_texts(snapshot_, service.slices).failing;
}

void ServicePlanner::plan_require_zone(const policy::Settings& settings, ServicePlan& service) {
  hint_own_places(service, true, false);
  const policy::RequireZoneInput input{
      .ready = ready_in_,
      .capacity = weight_in_,
      .regions = regions_,
      .no_region = static_cast<std::uint32_t>(snapshot_.regions.size()),
      .failover = settings.failover};
  const auto before = failing_now(service);
  const auto split = new_split(service);
  service.failing.begin = static_cast<std::uint32_t>(plan_.failing.size());
  zone_states_.clear();
  for (std::size_t zone = 0; zone < snapshot_.zones.size(); ++zone) {
    const auto known = std::find_if(before.begin(), before.end(), [&](const auto& one) {
      return one.zone == snapshot_.zone_name(ZoneIndex(zone));
    });
    const route::FailingZone* since = known == before.end() ? nullptr : &*known;
    const RequiredZone state = plan_required_zone(input, zone, since, service);
    policy::require_zone_row(input, zone, state, split.subspan(zone * plan_.places, plan_.places));
    zone_states_.push_back(state);
  }
  share_failover_hints(service);
  tell_required_zones(input, service);
}

// `known`: since when it lacks endpoints; null: it did not.
RequiredZone ServicePlanner::plan_required_zone(const policy::RequireZoneInput& input,
                                                std::size_t zone, const route::FailingZone* known,
                                                ServicePlan& service) {
  const auto& now = plan_.options.now;
  std::optional<WallTime> since;
  if (known != nullptr) since = known->since;
  RequiredZone state = policy::required_zone_state(input, zone, since, now);
  // Where time stands still, what is over stays over.
  const bool was_spent = known != nullptr && known->spent && !now;
  if (state == RequiredZone::FailsOver && was_spent) state = RequiredZone::Spent;
  const bool fails = state == RequiredZone::FailsOver || state == RequiredZone::Spent;
  // Where no traffic starts there is nothing to limit.
  if (!fails || plan_.demands[service.demand].by_place[zone] <= 0) return state;
  FailingZone failing{.zone = ZoneIndex(zone),
                      .since = since.value_or(whole_seconds(now.value_or(WallTime()))),
                      .spent = state == RequiredZone::Spent,
                      .until = {}};
  if (input.failover->limit) failing.until = failing.since + *input.failover->limit;
  plan_.failing.push_back(failing);
  ++service.failing.size;
  return state;
}

// Proxies that know hints only use the region first as well; who has no hint uses everyone.
void ServicePlanner::share_failover_hints(ServicePlan& service) {
  const auto split = plan_.split_of(service);
  shared_with_.assign(snapshot_.zones.size(), {});
  for (std::size_t z = 0; z < zone_states_.size(); ++z) {
    if (zone_states_[z] != RequiredZone::FailsOver) continue;
    std::vector<ZoneIndex> from;
    for (std::size_t to = 0; to < snapshot_.zones.size(); ++to)
      if (to != z && split[z * plan_.places + to] > 0) from.emplace_back(to);
    share_hints(ZoneIndex(z), from);
  }
  write_shared_hints(service);
}

void ServicePlanner::keep_failing(ServicePlan& service) {
  service.failing.begin = static_cast<std::uint32_t>(plan_.failing.size());
  for (const route::FailingZone& one : failing_now(service)) {
    const ZoneIndex zone = snapshot_.find_zone(one.zone);
    if (!zone) continue;
    plan_.failing.push_back({.zone = zone, .since = one.since, .spent = one.spent, .until = {}});
    ++service.failing.size;
  }
}

// What crosses zones, as a note has it.
Note ServicePlanner::crossing_of(const ServicePlan& service) const {
  const auto& demand = plan_.demands[service.demand].by_place;
  const auto split = plan_.split_of(service);
  Note crossing;
  for (std::size_t i = 0; i < split.size(); ++i) {
    const std::size_t from = i / plan_.places, to = i % plan_.places;
    const double share = demand[from] * split[i];
    crossing.share += from == to ? 0 : share;
    crossing.cost += plan_.prices.price[i] * share;
  }
  return crossing;
}

void ServicePlanner::tell_required_zones(const policy::RequireZoneInput& input,
                                         ServicePlan& service) {
  const Demand& demand = plan_.demands[service.demand];
  std::vector<Note> notes{{.reason = Reason::RequiredZoneKept}};
  Note about = crossing_of(service);
  about.limit = input.failover ? input.failover->min_endpoints : 1;
  for (std::size_t zone = 0; zone < zone_states_.size(); ++zone) {
    if (demand.by_place[zone] <= 0) continue;
    about.subject = snapshot_.zone_name(ZoneIndex(zone));
    about.count = input.ready[zone];
    const auto tell = [&](Reason reason) {
      about.reason = reason;
      notes.push_back(about);
    };
    const RequiredZone state = zone_states_[zone];
    if (state == RequiredZone::FailsOver) tell(Reason::ZoneFailsOver);
    if (state == RequiredZone::Spent) tell(Reason::ZoneFailoverSpent);
    if (state == RequiredZone::FailsOver || input.ready[zone] > 0) continue;
    tell(Reason::RequiredZoneRejects);
    tell(Reason::HintsCannotReject);
  }
  if (demand.by_place.back() > 0) notes.push_back({.reason = Reason::RequiredZoneUnknown});
  const auto worst = std::min_element(notes.begin(), notes.end(), is_worse);
  service.why = *worst;
  notes.erase(worst);
  std::erase_if(notes, [](const Note& one) { return one.reason == Reason::RequiredZoneKept; });
  if (input.ready.back() > 0)
    notes.push_back({.reason = Reason::UnplacedEndpoints, .count = input.ready.back()});
  plan_.notes.insert(plan_.notes.end(), notes.begin(), notes.end());
  plan_.notes.insert(plan_.notes.end(), demand.notes.begin(), demand.notes.end());
}

}  // namespace proxima::plan
