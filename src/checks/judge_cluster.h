// SPDX-License-Identifier: Apache-2.0
// What the objects of a cluster mean: its Nodes, its slices, and who else works on Services. Pure.
#pragma once

#include "checks/check_result.h"
#include "checks/cluster_facts.h"

namespace proxima::checks {

// Of a check of the group Cluster.
Verdict judge_cluster(Check check, const ClusterFacts& cluster, Stage stage);

// Null: there is none. `component`: "controller" or "proxy" of Proxima.
const Workload* find_component(const std::vector<Workload>& workloads, std::string_view component);
// kube-proxy's DaemonSet; null: there is none.
const Workload* find_kube_proxy(const std::vector<Workload>& daemon_sets);

}  // namespace proxima::checks
