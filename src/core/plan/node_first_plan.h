// SPDX-License-Identifier: Apache-2.0
// The node tier of `balanced` for one service of a plan.
#pragma once

#include "core/plan/cluster_plan.h"
#include "core/plan/ready_endpoints.h"
#include "core/policy/node_first.h"

namespace proxima::plan {

// Node places are the same for every service; keep one for all.
std::vector<std::uint16_t> node_places(const model::Snapshot& snapshot);

// `ready` are the service's endpoints; `may_stay` as for balanced_split. The result lives in the
// workspace.
const policy::NodeFirstPlan& plan_nodes_first(const ClusterPlan& plan, const ServicePlan& service,
                                              const ReadyEndpoints& ready,
                                              std::span<const std::uint16_t> node_place,
                                              std::span<const unsigned char> may_stay,
                                              policy::NodeFirstWorkspace& workspace);

}  // namespace proxima::plan
