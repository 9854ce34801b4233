// SPDX-License-Identifier: Apache-2.0
// ServicePlanner for zones that use endpoints of other zones, as far as hints can say that: an
// endpoint may be for several zones.
#include <algorithm>

#include "core/model/snapshot_builder.h"
#include "core/plan/service_planner.h"

namespace proxima::plan {
namespace {

using model::Range;
using model::ZoneIndex;

}  // namespace

bool ServicePlanner::share_hints(ZoneIndex zone, const std::vector<ZoneIndex>& from) {
  // The own zone is one of them.
  const bool fits = std::all_of(from.begin(), from.end(), [&](ZoneIndex one) {
    return shared_with_[one.value()].size() + 1 < model::kMaxHints;
  });
  if (from.empty() || !fits) return false;
  for (const ZoneIndex one : from)
    shared_with_[one.value()].push_back(static_cast<std::uint32_t>(zone.value()));
  return true;
}

bool ServicePlanner::falls_back_to_region(const policy::Settings& settings, ZoneIndex zone,
                                          ServicePlan& service) {
  const std::uint32_t region = regions_[zone.value()];
  if (settings.fallback != policy::Fallback::Region || region == snapshot_.regions.size())
    return false;
  std::vector<ZoneIndex> near;
  std::uint32_t ready = 0;
  for (std::size_t one = 0; one < regions_.size(); ++one) {
    if (regions_[one] != region || ready_in_[one] == 0) continue;
    near.emplace_back(one);
    ready += ready_in_[one];
  }
  if (!share_hints(zone, near)) return false;
  if (plan_.demands[service.demand].by_place[zone.value()] > 0)
    note({.reason = policy::Reason::FallsBackToRegion,
          .subject = snapshot_.zone_name(zone),
          .count = ready});
  return true;
}

void ServicePlanner::write_shared_hints(ServicePlan& service) {
  std::vector<Range> lists(shared_with_.size());
  for (std::size_t zone = 0; zone < shared_with_.size(); ++zone) {
    auto& list = shared_with_[zone];
    if (list.empty()) continue;
    list.push_back(static_cast<std::uint32_t>(zone));
    std::sort(list.begin(), list.end());
    lists[zone] = {static_cast<std::uint32_t>(plan_.shared_zones.size()),
                   static_cast<std::uint32_t>(list.size())};
    plan_.shared_zones.insert(plan_.shared_zones.end(), list.begin(), list.end());
  }
  for (std::size_t e = 0; e < service.planned; ++e) {
    EndpointHint& hint = plan_.hints[service.endpoints.begin + e];
    if (hint.zone) hint.shared = lists[hint.zone.value()];
  }
}

}  // namespace proxima::plan
