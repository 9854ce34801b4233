// SPDX-License-Identifier: Apache-2.0
// From facts to results. Pure: equal facts give equal results.
#pragma once

#include <string>
#include <vector>

#include "checks/check_result.h"
#include "checks/cluster_facts.h"
#include "checks/node_facts.h"

namespace proxima::checks {

struct Facts {
  Result<NodeFacts> node;        // an error: why the node was not looked at
  Result<ClusterFacts> cluster;  // an error: why the API server did not answer
  std::string version;           // of this program
};

// One result for each check in scope, in the order of the table.
std::vector<CheckResult> judge(const Facts& facts, const Scope& scope);

// How often each outcome came.
struct Tally {
  std::size_t passed = 0;
  std::size_t skipped = 0;
  std::size_t warned = 0;
  std::size_t failed = 0;
};
Tally tally(const std::vector<CheckResult>& results);

}  // namespace proxima::checks
