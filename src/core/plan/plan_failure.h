// SPDX-License-Identifier: Apache-2.0
// A service that cannot be planned costs itself its plan and nobody else anything: its plan says so
// (Reason::InternalError), publishes nothing and predicts nothing.
#pragma once

#include <optional>

#include "base/guarded.h"
#include "core/plan/cluster_plan.h"
#include "core/plan/service_planner.h"
#include "core/plan/traffic.h"

namespace proxima::plan {

bool has_failed(const ServicePlan& service);

// Makes an element of `plan` one that failed.
void mark_failed(ClusterPlan& plan, ServicePlan& service, const Breakdown& breakdown);

// Plans services one after the other into `plan`, as a ServicePlanner does.
class GuardedPlanner {
 public:
  explicit GuardedPlanner(ClusterPlan& plan) : plan_(plan) { planner_.emplace(plan_); }

  void plan(model::ServiceIndex index);

 private:
  ClusterPlan& plan_;
  std::optional<ServicePlanner> planner_;
};

// As predict_traffic(); an element of `plan` whose traffic cannot be predicted has failed, and one
// that has failed has no traffic.
Traffic predict_or_fail(ClusterPlan& plan, ServicePlan& service);

}  // namespace proxima::plan
