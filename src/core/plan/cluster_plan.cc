// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cluster_plan.h"

#include "core/plan/plan_failure.h"

namespace proxima::plan {

ClusterPlan empty_plan(model::SnapshotPtr snapshot, const PlanOptions& options) {
  ClusterPlan plan;
  plan.options = options;
  plan.places = snapshot->zones.size() + 1;
  plan.prices = price_matrix(*snapshot, options.prices);
  plan.hints.resize(snapshot->endpoints.size());
  plan.whole_rows.assign(plan.places, 1);
  plan.whole_rows.back() = 0;
  plan.snapshot = std::move(snapshot);
  return plan;
}

ClusterPlan plan_cluster(model::SnapshotPtr snapshot, const PlanOptions& options) {
  ClusterPlan plan = empty_plan(std::move(snapshot), options);
  const std::size_t services = plan.snapshot->services.size();
  plan.services.reserve(services);
  GuardedPlanner planner(plan);
  for (std::size_t s = 0; s < services; ++s) planner.plan(model::ServiceIndex(s));
  return plan;
}

ClusterPlan plan_service(model::SnapshotPtr snapshot, const PlanOptions& options,
                         model::ServiceIndex service) {
  ClusterPlan plan = empty_plan(std::move(snapshot), options);
  GuardedPlanner(plan).plan(service);
  return plan;
}

}  // namespace proxima::plan
