// SPDX-License-Identifier: Apache-2.0
// Looks at the node that this process runs on, in its network namespace. Nothing of the node is
// changed: the score of this process is lowered for a moment and put back.
#pragma once

#include <string>

#include "checks/node_facts.h"

namespace proxima::checks {

// `root` is put in front of every path: "" but in tests.
NodeFacts look_at_node(const std::string& root);

// Whether this process has CAP_NET_ADMIN, without which a node shows little.
bool has_net_admin(const std::string& root);

}  // namespace proxima::checks
