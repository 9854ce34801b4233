// SPDX-License-Identifier: Apache-2.0
// What the answers of an API server mean, apart from the objects in it. Pure.
#pragma once

#include "checks/check_result.h"
#include "checks/cluster_facts.h"

namespace proxima::checks {

// Of a check of the group Api but for ApiReachable, which needs no facts.
Verdict judge_server(Check check, const ServerFacts& server);
// Of a check of the group Rights.
Verdict judge_rights(Component component, const Result<std::vector<Right>>& refused);

}  // namespace proxima::checks
