// SPDX-License-Identifier: Apache-2.0
// Changes that would alter the outcome of a service, found by planning again with each.
#pragma once

#include <string>
#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::plan {

// Below a tenth of a percent nobody would change anything.
inline constexpr double kNoticeable = 0.001;

struct WhatIf {
  std::string change;  // "one more endpoint in zone-b", "policy balanced (20%)"
  policy::PolicyKind policy = policy::PolicyKind::ClusterWide;
  policy::Note why;  // subjects borrow from `snapshot`
  double local = 0;  // share kept local, all places together
  double rejected = 0;
  double worst_overload = 0;
  model::SnapshotPtr snapshot;  // the changed cluster, one service only
};

// Only what changes something, best first: nothing rejected, then most local, then least overload.
std::vector<WhatIf> what_would_change(const ClusterPlan& plan, const ServicePlan& service);

}  // namespace proxima::plan
