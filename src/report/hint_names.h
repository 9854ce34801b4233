// SPDX-License-Identifier: Apache-2.0
// The hints of one endpoint by name: those on its slice, and those of the plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::report {

struct HintNames {
  std::vector<std::string> zones;
  std::vector<std::string> nodes;  // "?" for one that is not in the cluster
};

HintNames published_hints(const plan::ClusterPlan& plan, std::uint32_t endpoint);
HintNames planned_hints(const plan::ClusterPlan& plan, std::uint32_t endpoint);

// "a, b; node n1", or "nobody in particular".
std::string hint_text(const HintNames& hints);

}  // namespace proxima::report
