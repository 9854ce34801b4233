// SPDX-License-Identifier: Apache-2.0
// ServicePlanner for `auto` where endpoints differ in weight.
#include <algorithm>

#include "core/plan/service_planner.h"

namespace proxima::plan {
namespace {

using model::Snapshot;
using model::ZoneIndex;
using policy::Reason;

}  // namespace

// Of ready_.
policy::BalancedHints ServicePlanner::hint_by_weight(const policy::CpuRatios& cpu, double bound) {
  std::vector<double> demand = cpu.by_zone;
  demand.push_back(0);
  hinted_place_.resize(ready_.index.size());
  return policy::balanced_hints({.demand = demand,
                                 .place = ready_.place,
                                 .weight = ready_.weights(),
                                 .overload = bound,
                                 .price = plan_.prices.for_balancing(),
                                 .published = published_},
                                balanced_hints_work_, hinted_place_);
}

// Upstream counts endpoints, which are all alike to it. Where they are not, a zone needs its share
// of their weight.
policy::AutoDecision ServicePlanner::allot_by_weight(const policy::Settings& settings,
                                                     const ServicePlan& service) {
  const policy::CpuRatios& cpu = ratios(settings.auto_options.missing);
  const double start = settings.auto_options.start_below;
  const double stop = std::max(settings.auto_options.stop_above, start);
  const auto slices = Snapshot::part(snapshot_.slices, service.slices);
  const bool any_written = std::any_of(slices.begin(), slices.end(), [](const auto& slice) {
    return slice.rewritten || slice.derived;
  });
  const double published = published_overload(service, cpu);
  policy::AutoDecision decision{.hinted = true, .why = {.reason = Reason::HintsAssigned}};
  if (!any_written && published <= stop) return kept_as_published(decision, published);
  std::fill(hint_of_.begin(), hint_of_.end(), ZoneIndex());
  if (ready_in_.back() > 0)
    return {.hinted = false, .why = {.reason = Reason::EndpointWithoutZone}};
  collect_published(service);
  auto made = hint_by_weight(cpu, start);
  if (!made.hinted && is_hinted_now(service)) made = hint_by_weight(cpu, stop);
  decision.expected_overload = made.worst_overload;
  if (!made.hinted)
    return {.hinted = false,
            .why = {.reason = Reason::OverloadTooHigh,
                    .count = static_cast<std::int64_t>(ready_.index.size()),
                    .zones = static_cast<std::int64_t>(cpu.zones.size()),
                    .share = made.worst_overload,
                    .limit = start}};
  for (std::size_t i = 0; i < hinted_place_.size(); ++i) {
    hint_of_[ready_.index[i]] = ZoneIndex(hinted_place_[i]);
    decision.lent += hinted_place_[i] != ready_.place[i] ? 1 : 0;
  }
  return decision;
}

}  // namespace proxima::plan
