// SPDX-License-Identifier: Apache-2.0
#include "checks/judge_proxima.h"

#include <algorithm>

#include "base/check.h"
#include "checks/judge_cluster.h"
#include "checks/name_list.h"
#include "checks/unread.h"
#include "checks/version_text.h"

namespace proxima::checks {
namespace {

using std::chrono::seconds;

// The holder writes the time by its own clock.
constexpr seconds kClockTolerance{5};

std::string of_all(std::int64_t part, std::int64_t all) {
  return std::to_string(part) + " of " + std::to_string(all);
}

std::string path_of(const Workload& workload) { return workload.ns + "/" + workload.name; }

Verdict judge_lease(const ClusterFacts& cluster) {
  if (!cluster.lease) return unread("the Lease", cluster.lease.error());
  if (!*cluster.lease) return {Outcome::Failed, "there is no Lease: no controller has led yet"};
  const LeaseFacts& lease = **cluster.lease;
  if (lease.holder.empty()) return {Outcome::Failed, "nobody holds " + lease.name};
  if (!lease.renewed) return {Outcome::Failed, lease.name + " does not say when it was renewed"};
  const auto age = std::chrono::duration_cast<seconds>(cluster.server.now - *lease.renewed);
  if (age > lease.duration + kClockTolerance)
    return {Outcome::Failed, lease.holder + " last renewed " + lease.name + " " +
                                 std::to_string(age.count()) + " s ago"};
  return {Outcome::Passed, lease.holder + " holds " + lease.name};
}

Verdict judge_deployment(const ClusterFacts& cluster) {
  if (!cluster.deployments) return unread("Deployments", cluster.deployments.error());
  const Workload* controller = find_component(*cluster.deployments, "controller");
  if (controller == nullptr)
    return {Outcome::Skipped, "there is no Deployment of Proxima's controller"};
  const std::string text =
      path_of(*controller) + ": " + of_all(controller->ready, controller->wanted) + " available";
  if (controller->wanted == 0 || controller->ready == 0) return {Outcome::Failed, text};
  return {controller->ready < controller->wanted ? Outcome::Warned : Outcome::Passed, text};
}

Verdict judge_daemon_set(const ClusterFacts& cluster) {
  if (!cluster.daemon_sets) return unread("DaemonSets", cluster.daemon_sets.error());
  const Workload* proxy = find_component(*cluster.daemon_sets, "proxy");
  if (proxy == nullptr) return {Outcome::Skipped, "there is no DaemonSet of Proxima's node proxy"};
  if (proxy->wanted == 0)
    return {Outcome::Warned,
            path_of(*proxy) + ": no node has the label proxima.io/node-proxy=enabled"};
  const std::string text = path_of(*proxy) + ": " + of_all(proxy->ready, proxy->wanted) + " ready";
  if (proxy->ready < proxy->wanted) return {Outcome::Failed, text};
  if (proxy->updated < proxy->wanted)
    return {Outcome::Warned, text + ", " + of_all(proxy->updated, proxy->wanted) + " updated"};
  return {Outcome::Passed, text};
}

// The counts alone prove it: each DaemonSet has a node at most once.
Verdict judge_one_proxy(const ClusterFacts& cluster) {
  if (!cluster.daemon_sets) return unread("DaemonSets", cluster.daemon_sets.error());
  if (!cluster.nodes) return unread("Nodes", cluster.nodes.error());
  const Workload* ours = find_component(*cluster.daemon_sets, "proxy");
  if (ours == nullptr || ours->wanted == 0)
    return {Outcome::Skipped, "no node has Proxima's node proxy by a DaemonSet"};
  const Workload* theirs = find_kube_proxy(*cluster.daemon_sets);
  const auto nodes = static_cast<std::int64_t>(cluster.nodes->size());
  const std::int64_t others = theirs == nullptr ? 0 : theirs->wanted;
  const std::int64_t more = ours->wanted + others - nodes;
  const std::string text = "Proxima's on " + std::to_string(ours->wanted) + " and kube-proxy on " +
                           std::to_string(others) + " of " + counted(cluster.nodes->size(), "node");
  if (more > 0) return {Outcome::Failed, text + ": some have both"};
  if (more < 0) return {Outcome::Warned, text + ": some have neither by a DaemonSet"};
  return {Outcome::Passed, text};
}

Verdict judge_versions(const ClusterFacts& cluster, std::string_view version) {
  std::vector<std::string> told;
  bool differs = false;
  const auto look = [&](const Result<std::vector<Workload>>& workloads, const char* component) {
    const Workload* found = workloads ? find_component(*workloads, component) : nullptr;
    const std::string tag = found == nullptr ? std::string() : image_tag(found->image);
    if (tag.empty()) return;
    differs = differs || tag != version;
    told.push_back(std::string(component) + " " + tag);
  };
  look(cluster.deployments, "controller");
  look(cluster.daemon_sets, "proxy");
  if (told.empty()) return {Outcome::Skipped, "no image of Proxima tells its version"};
  told.push_back("this program " + std::string(version));
  return {differs ? Outcome::Warned : Outcome::Passed, name_list(told)};
}

}  // namespace

Verdict judge_proxima(Check check, const ClusterFacts& cluster, std::string_view version) {
  switch (check) {
    case Check::ControllerLease:
      return judge_lease(cluster);
    case Check::ControllerDeployment:
      return judge_deployment(cluster);
    case Check::ProxyDaemonSet:
      return judge_daemon_set(cluster);
    case Check::OneProxyPerNode:
      return judge_one_proxy(cluster);
    case Check::Versions:
      return judge_versions(cluster, version);
    default:
      check_failed("a check of Proxima", __FILE_NAME__, __LINE__);
  }
}

}  // namespace proxima::checks
