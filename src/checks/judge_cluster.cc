// SPDX-License-Identifier: Apache-2.0
#include "checks/judge_cluster.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/timestamp.h"
#include "checks/name_list.h"
#include "checks/unread.h"

namespace proxima::checks {
namespace {

constexpr std::string_view kControllerSlices = "endpointslice-controller.k8s.io";

bool is_routed_by_proxima(const ClusterFacts& cluster) {
  return cluster.daemon_sets && find_component(*cluster.daemon_sets, "proxy") != nullptr;
}

Verdict judge_zones(const std::vector<NodeRow>& nodes) {
  if (nodes.empty()) return {Outcome::Failed, "there are no Nodes"};
  std::vector<std::string> without;
  std::map<std::string, std::size_t> zones;
  for (const NodeRow& node : nodes) {
    if (node.zone.empty()) {
      without.push_back(node.name);
    } else {
      ++zones[node.zone];
    }
  }
  if (without.empty())
    return {Outcome::Passed,
            counted(nodes.size(), "Node") + " in " + counted(zones.size(), "zone")};
  return {Outcome::Warned, std::to_string(without.size()) + " of " + counted(nodes.size(), "Node") +
                               " without: " + name_list(without)};
}

Verdict judge_cpu(const std::vector<NodeRow>& nodes) {
  std::vector<std::string> without;
  for (const NodeRow& node : nodes)
    if (!node.has_cpu) without.push_back(node.name);
  if (without.empty()) return {};
  return {Outcome::Warned, "without: " + name_list(without)};
}

Verdict judge_managers(const std::vector<SliceRow>& slices) {
  std::map<std::string, std::size_t> managers;
  std::size_t without = 0;
  for (const SliceRow& slice : slices) {
    if (!slice.managed_by.empty()) {
      ++managers[slice.managed_by];
    } else if (!slice.is_of_api_server) {
      ++without;
    }
  }
  std::vector<std::string> told;
  for (const auto& [manager, count] : managers)
    told.push_back(manager + " (" + std::to_string(count) + ")");
  if (without > 0) {
    told.insert(told.begin(), "nobody (" + std::to_string(without) + ")");
    return {Outcome::Warned, name_list(told)};
  }
  if (told.empty()) return {Outcome::Passed, "there are no EndpointSlices yet"};
  return {Outcome::Passed, name_list(told)};
}

// When kube-controller-manager last wrote a slice that Proxima's controller would write.
std::optional<Clock::WallTime> last_upstream_write(const std::vector<SliceRow>& slices) {
  std::optional<Clock::WallTime> last;
  for (const SliceRow& slice : slices) {
    if (slice.managed_by != kControllerSlices || !slice.upstream_wrote) continue;
    last = last ? std::max(*last, *slice.upstream_wrote) : slice.upstream_wrote;
  }
  return last;
}

// Where the control plane is somebody else's, its Pods cannot be seen, and only its writes tell.
Verdict judge_upstream_writes(const ClusterFacts& cluster, Stage stage) {
  if (!cluster.slices) return unread("EndpointSlices", cluster.slices.error());
  const auto written = last_upstream_write(*cluster.slices);
  if (!written) return {Outcome::Passed, "it has written none of the EndpointSlices"};
  const std::string when = "it last wrote an EndpointSlice at " + time_text(*written);
  if (stage == Stage::Before) return {Outcome::Warned, when};
  if (!cluster.lease || !*cluster.lease || !(*cluster.lease)->acquired)
    return {Outcome::Warned, when};
  const Clock::WallTime since = *(*cluster.lease)->acquired;
  if (*written > since)
    return {Outcome::Failed,
            when + ", after Proxima's controller took the Lease at " + time_text(since)};
  return {Outcome::Passed, when + ", before Proxima's controller took the Lease"};
}

Verdict judge_upstream(const ClusterFacts& cluster, Stage stage) {
  std::vector<std::string> running;
  const bool is_seen = cluster.manager_pods && !cluster.manager_pods->empty();
  if (is_seen) {
    for (const ManagerPod& pod : *cluster.manager_pods)
      if (pod.runs_slice_controller) running.push_back(pod.name);
  }
  if (!is_seen) return judge_upstream_writes(cluster, stage);
  if (running.empty())
    return {Outcome::Passed, "in " + counted(cluster.manager_pods->size(), "Pod")};
  // Before the installation it is what makes the slices, and somebody has to switch it off.
  return {stage == Stage::Before ? Outcome::Warned : Outcome::Failed,
          "it runs in " + name_list(running)};
}

Verdict judge_kube_proxy(const ClusterFacts& cluster) {
  if (!cluster.daemon_sets) return unread("DaemonSets", cluster.daemon_sets.error());
  const Workload* kube_proxy = find_kube_proxy(*cluster.daemon_sets);
  if (kube_proxy == nullptr) return {Outcome::Passed, "there is no DaemonSet of kube-proxy"};
  const std::string text = kube_proxy->ns + "/" + kube_proxy->name + " is for " +
                           counted(static_cast<std::size_t>(kube_proxy->wanted), "node");
  if (kube_proxy->avoids_proxima) return {Outcome::Passed, text};
  return {is_routed_by_proxima(cluster) ? Outcome::Failed : Outcome::Warned,
          text + ", whatever their labels"};
}

Verdict judge_bypass(const ClusterFacts& cluster) {
  if (!cluster.bypasses) return unread("settings of the CNI plugin", cluster.bypasses.error());
  std::vector<std::string> found = *cluster.bypasses;
  if (cluster.daemon_sets) {
    for (const Workload& set : *cluster.daemon_sets)
      if (set.has_felix_ebpf)
        found.push_back("FELIX_BPFENABLED=true in " + set.ns + "/" + set.name);
  }
  if (found.empty()) return {Outcome::Passed, "neither Cilium nor Calico replaces kube-proxy"};
  return {is_routed_by_proxima(cluster) ? Outcome::Failed : Outcome::Warned, name_list(found)};
}

}  // namespace

const Workload* find_component(const std::vector<Workload>& workloads, std::string_view component) {
  const auto found = std::ranges::find(workloads, component, &Workload::component);
  return found == workloads.end() ? nullptr : &*found;
}

const Workload* find_kube_proxy(const std::vector<Workload>& daemon_sets) {
  const auto found = std::ranges::find(daemon_sets, "kube-proxy", &Workload::name);
  return found == daemon_sets.end() ? nullptr : &*found;
}

Verdict judge_cluster(Check check, const ClusterFacts& cluster, Stage stage) {
  switch (check) {
    case Check::NodeZones:
      if (!cluster.nodes) return unread("Nodes", cluster.nodes.error());
      return judge_zones(*cluster.nodes);
    case Check::NodeCpu:
      if (!cluster.nodes) return unread("Nodes", cluster.nodes.error());
      return judge_cpu(*cluster.nodes);
    case Check::SliceManagers:
      if (!cluster.slices) return unread("EndpointSlices", cluster.slices.error());
      return judge_managers(*cluster.slices);
    case Check::UpstreamController:
      return judge_upstream(cluster, stage);
    case Check::KubeProxyDaemonSet:
      return judge_kube_proxy(cluster);
    case Check::ServiceBypass:
      return judge_bypass(cluster);
    default:
      check_failed("a check of the cluster", __FILE_NAME__, __LINE__);
  }
}

}  // namespace proxima::checks
