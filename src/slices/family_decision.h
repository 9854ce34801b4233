// SPDX-License-Identifier: Apache-2.0
// What the engine decided about one family of a service, in words and figures that outlive it.
#pragma once

#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/policy/cpu_ratios.h"
#include "slices/slice_planner.h"

namespace proxima::slices {

// `ratios`: what `auto` measures zones by.
FamilyDecision describe_family(const plan::ClusterPlan& plan, const plan::ServicePlan& service,
                               const policy::CpuRatios& ratios);

// Accepted and Programmed; none for a Service that asks for nothing. Programmed is False as soon as
// it is for one family.
std::vector<plan::ServiceCondition> describe_conditions(const plan::ClusterPlan& plan);

}  // namespace proxima::slices
