// SPDX-License-Identifier: Apache-2.0
// A planned cluster made of network namespaces, for as long as this object lives.
#pragma once

#include <vector>

#include "lab/cluster_plan.h"
#include "lab/run_folder.h"

namespace proxima::lab {

class ClusterBed {
 public:
  // Needs the rights to make network namespaces: root's, or those of a user namespace.
  static Result<ClusterBed> build(const ClusterPlan& plan, RunClaim claim);

  // One a host of the plan, in its order.
  const std::vector<NetworkNamespace>& namespaces() const { return namespaces_; }

 private:
  explicit ClusterBed(RunClaim claim) : claim_(std::move(claim)) {}
  Status add_hosts(const ClusterPlan& plan);
  Status add_cables(const ClusterPlan& plan);

  RunClaim claim_;  // outlives the names that it protects
  std::vector<NetworkNamespace> namespaces_;
};

}  // namespace proxima::lab
