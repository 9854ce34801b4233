// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_failure.h"

#include <algorithm>

namespace proxima::plan {
namespace {

using policy::Reason;

// How long each list of a plan was before a service was added.
struct PlanSizes {
  std::size_t services, demands, splits, notes, topology_keys, failing, shared_zones;
};

PlanSizes sizes_of(const ClusterPlan& plan) {
  return {.services = plan.services.size(),
          .demands = plan.demands.size(),
          .splits = plan.splits.size(),
          .notes = plan.notes.size(),
          .topology_keys = plan.topology_keys.size(),
          .failing = plan.failing.size(),
          .shared_zones = plan.shared_zones.size()};
}

void cut_back(ClusterPlan& plan, const PlanSizes& sizes) {
  plan.services.resize(sizes.services);
  plan.demands.resize(sizes.demands);
  plan.splits.resize(sizes.splits);
  plan.notes.resize(sizes.notes);
  plan.topology_keys.resize(sizes.topology_keys);
  plan.failing.resize(sizes.failing);
  plan.shared_zones.resize(sizes.shared_zones);
}

// Nothing is known of where its traffic starts, so nothing is said about where it goes.
Demand no_demand(const ClusterPlan& plan) {
  Demand none;
  none.by_place.assign(plan.places, 0);
  none.by_node.assign(plan.snapshot->nodes.size(), 0);
  none.units.assign(plan.places, 0);
  none.all_units.assign(plan.places, 0);
  return none;
}

// The policy that was asked for, if at least that can be found.
void take_settings(ClusterPlan& plan, ServicePlan& service) {
  std::optional<policy::ResolvedSettings> found;
  const auto& object = plan.snapshot->services[service.service.value()];
  const auto breakdown = run_guarded([&] {
    found = policy::resolve_settings(*plan.snapshot, object, plan.options.defaults,
                                     plan.options.forced);
  });
  if (breakdown) return;
  service.policy = found->settings.policy;
  service.accepted = found->accepted;
  service.policy_notes = {static_cast<std::uint32_t>(plan.notes.size()),
                          static_cast<std::uint32_t>(found->chain.size() + 1)};
  plan.notes.push_back(found->from);
  plan.notes.insert(plan.notes.end(), found->chain.begin(), found->chain.end());
}

}  // namespace

bool has_failed(const ServicePlan& service) { return service.why.reason == Reason::InternalError; }

void mark_failed(ClusterPlan& plan, ServicePlan& service, const Breakdown& breakdown) {
  plan.breakdowns.push_back(std::make_shared<const std::string>(breakdown.what));
  service.why = {.reason = Reason::InternalError, .subject = *plan.breakdowns.back()};
  // Who looks for where the policy comes from finds at least that.
  if (service.policy_notes.size == 0) {
    service.policy_notes = {static_cast<std::uint32_t>(plan.notes.size()), 1};
    plan.notes.push_back(service.why);
  }
  service.demand = static_cast<std::uint32_t>(plan.demands.size());
  plan.demands.push_back(no_demand(plan));
  service.split = -1;
  service.hinted = service.node_first = service.ignores_health = service.weighted = false;
  service.planner_notes = service.keys = service.failing = {};
  const auto first = plan.hints.begin() + service.endpoints.begin;
  std::fill(first, first + service.endpoints.size, EndpointHint{});
}

void GuardedPlanner::plan(model::ServiceIndex index) {
  const PlanSizes before = sizes_of(plan_);
  const auto breakdown = run_guarded([&] { planner_->plan(index); });
  if (!breakdown) return;
  cut_back(plan_, before);
  planner_.emplace(plan_);  // what it worked on is in no known state
  for (ServicePlan family : unplanned_families(*plan_.snapshot, index)) {
    take_settings(plan_, family);
    plan_.services.push_back(family);
    mark_failed(plan_, plan_.services.back(), *breakdown);
  }
}

Traffic predict_or_fail(ClusterPlan& plan, ServicePlan& service) {
  Traffic traffic;
  if (!has_failed(service)) {
    const auto breakdown = run_guarded([&] { traffic = predict_traffic(plan, service); });
    if (!breakdown) return traffic;
    mark_failed(plan, service, *breakdown);
  }
  traffic = {};
  traffic.place_to_place.assign(plan.places * plan.places, 0);
  traffic.endpoint_load.assign(service.endpoints.size, 0);
  return traffic;
}

}  // namespace proxima::plan
