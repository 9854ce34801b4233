// SPDX-License-Identifier: Apache-2.0
// What must hold of every plan, whatever policy made it. Written apart from the planner and never
// used by it: a check that shares code with what it checks finds nothing.
#pragma once

#include <string>
#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::audit {

// One sentence a broken rule; empty: all is well.
std::vector<std::string> audit_plan(const plan::ClusterPlan& plan);

}  // namespace proxima::audit
