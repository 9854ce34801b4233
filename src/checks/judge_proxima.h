// SPDX-License-Identifier: Apache-2.0
// Whether Proxima's own parts work. Pure.
#pragma once

#include <string_view>

#include "checks/check_result.h"
#include "checks/cluster_facts.h"

namespace proxima::checks {

// Of a check of the group Proxima. `version`: of this program.
Verdict judge_proxima(Check check, const ClusterFacts& cluster, std::string_view version);

}  // namespace proxima::checks
