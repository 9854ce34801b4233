// SPDX-License-Identifier: Apache-2.0
// What the facts of a node mean. Pure.
#pragma once

#include "checks/check_result.h"
#include "checks/node_facts.h"

namespace proxima::checks {

// Of a check of the group Node.
Verdict judge_node(Check check, const NodeFacts& node);

}  // namespace proxima::checks
