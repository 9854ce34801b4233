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
  for (std::size_t z = 0; z < snapshot_.zones.size(); ++z) {
    const ZoneIndex zone(z);
    const auto known = std::find_if(before.begin(), before.end(), [&](const auto& one) {
      return one.zone == snapshot_.zone_name(zone);
    });
    std::optional<WallTime> since;
    if (known != before.end()) since = known->since;
    const auto& now = plan_.options.now;
    RequiredZone state = policy::required_zone_state(input, z, since, now);
    const bool was_spent = known != before.end() && known->spent;
    if (state == RequiredZone::FailsOver && was_spent && !now) state = RequiredZone::Spent;
    zone_states_.push_back(state);
    policy::require_zone_row(input, z, state, split.subspan(z * plan_.places, plan_.places));
    const bool fails = state == RequiredZone::FailsOver || state == RequiredZone::Spent;
    // Where no traffic starts there is nothing to limit.
    if (!fails || plan_.demands[service.demand].by_place[z] <= 0) continue;
    FailingZone failing{.zone = zone,
                        .since = since.value_or(whole_seconds(now.value_or(WallTime()))),
                        .spent = state == RequiredZone::Spent,
                        .until = {}};
    if (settings.failover->limit) failing.until = failing.since + *settings.failover->limit;
    plan_.failing.push_back(failing);
    ++service.failing.size;
  }
  share_failover_hints(service);
  tell_required_zones(input, service);
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

void ServicePlanner::tell_required_zones(const policy::RequireZoneInput& input,
                                         ServicePlan& service) {
  const auto& demand = plan_.demands[service.demand].by_place;
  const auto split = plan_.split_of(service);
  double cross = 0, cost = 0;
  for (std::size_t i = 0; i < split.size(); ++i) {
    const std::size_t from = i / plan_.places, to = i % plan_.places;
    const double share = demand[from] * split[i];
    cross += from == to ? 0 : share;
    cost += plan_.prices.price[i] * share;
  }
  const double least = input.failover ? input.failover->min_endpoints : 1;
  std::vector<Note> notes{{.reason = Reason::RequiredZoneKept}};
  const auto tell = [&](Reason reason, std::size_t zone) {
    notes.push_back({.reason = reason,
                     .subject = snapshot_.zone_name(ZoneIndex(zone)),
                     .count = input.ready[zone],
                     .share = cross,
                     .limit = least,
                     .cost = cost});
  };
  for (std::size_t z = 0; z < zone_states_.size(); ++z) {
    if (demand[z] <= 0) continue;
    const RequiredZone state = zone_states_[z];
    if (state == RequiredZone::FailsOver) tell(Reason::ZoneFailsOver, z);
    if (state == RequiredZone::Spent) tell(Reason::ZoneFailoverSpent, z);
    const bool rejects = state != RequiredZone::FailsOver && input.ready[z] == 0;
    if (!rejects) continue;
    tell(Reason::RequiredZoneRejects, z);
    tell(Reason::HintsCannotReject, z);
  }
  if (demand.back() > 0) notes.push_back({.reason = Reason::RequiredZoneUnknown});
  const auto worst = std::min_element(notes.begin(), notes.end(), is_worse);
  service.why = *worst;
  notes.erase(worst);
  std::erase_if(notes, [](const Note& one) { return one.reason == Reason::RequiredZoneKept; });
  if (input.ready.back() > 0)
    notes.push_back({.reason = Reason::UnplacedEndpoints, .count = input.ready.back()});
  plan_.notes.insert(plan_.notes.end(), notes.begin(), notes.end());
  const auto& demand_notes = plan_.demands[service.demand].notes;
  plan_.notes.insert(plan_.notes.end(), demand_notes.begin(), demand_notes.end());
}

}  // namespace proxima::plan
