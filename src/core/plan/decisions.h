// SPDX-License-Identifier: Apache-2.0
// What the planner decided about one service, in the order in which a person wants to read it.
#pragma once

#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::plan {

// Never empty. First what answers "why does traffic go where it goes": usually the policy's own
// reason. Where hints send endpoints to the traffic of other zones, that comes first: "the hints
// are right and stay" is true, and no answer to why so little is local.
std::vector<policy::Note> decisions_of(const ClusterPlan& plan, const ServicePlan& service);

// Where the policy comes from and what else was looked at, strongest first; what was refused comes
// before what is left.
std::vector<policy::Note> policy_chain_of(const ClusterPlan& plan, const ServicePlan& service);

}  // namespace proxima::plan
