// SPDX-License-Identifier: Apache-2.0
// Whether the hints on a service's slices are those of the plan. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::plan {

struct Published {
  // False: the snapshot has no slices of a controller, so nothing is known to be published.
  bool known = false;
  std::uint32_t compared = 0;  // ready endpoints on those slices; only they are hinted
  std::uint32_t hinted = 0;    // those that have a hint
  // Endpoints of the snapshot, ascending, whose hints differ from the plan's.
  std::vector<std::uint32_t> different;
  // They differ only in which endpoints of a zone serve which zone, not in how many do.
  bool equally_good = false;

  bool equals_plan() const { return known && different.empty(); }
};

Published compare_published(const ClusterPlan& plan, const ServicePlan& service);

}  // namespace proxima::plan
