// SPDX-License-Identifier: Apache-2.0
#include "checks/judge_node.h"

#include "base/check.h"
#include "checks/name_list.h"
#include "checks/version_text.h"

namespace proxima::checks {
namespace {

constexpr VersionPair kOldestKernel{5, 13};
constexpr std::int64_t kConntrackFullPercent = 90;

Verdict judge_kernel(const NodeFacts& node) {
  const auto version = parse_version_pair(node.kernel_release);
  if (!version) return {Outcome::Skipped, "the version of the kernel cannot be read"};
  return {*version < kOldestKernel ? Outcome::Warned : Outcome::Passed,
          "Linux " + node.kernel_release};
}

Verdict judge_conntrack(const NodeFacts& node) {
  if (!node.conntrack) return {Outcome::Warned, "the module nf_conntrack is not loaded"};
  const ConntrackUse& use = *node.conntrack;
  if (use.most == 0) return {Outcome::Passed, "without a limit"};
  const bool is_nearly_full = use.tracked >= use.most / 100 * kConntrackFullPercent;
  return {is_nearly_full ? Outcome::Warned : Outcome::Passed,
          std::to_string(use.tracked) + " of " + std::to_string(use.most) + " connections"};
}

Verdict judge_settings(const NodeFacts& node) {
  if (node.refused_settings.empty()) return {};
  return {Outcome::Warned, name_list(node.refused_settings)};
}

Verdict judge_oom_score(const NodeFacts& node) {
  if (node.refused_oom_score.empty()) return {};
  return {Outcome::Warned, node.refused_oom_score};
}

Verdict judge_cgroup(const NodeFacts& node) {
  switch (node.cgroup) {
    case CgroupHierarchy::Two:
      return {};
    case CgroupHierarchy::One:
      return {Outcome::Warned, "/sys/fs/cgroup is cgroup v1"};
    case CgroupHierarchy::Unknown:
      break;
  }
  return {Outcome::Skipped, "/sys/fs/cgroup cannot be seen"};
}

Verdict judge_clock(const NodeFacts& node) {
  switch (node.clock) {
    case ClockState::Synchronized:
      return {};
    case ClockState::Unsynchronized:
      return {Outcome::Warned, "the kernel says that nothing synchronizes it"};
    case ClockState::Unknown:
      break;
  }
  return {Outcome::Skipped, "the kernel does not say"};
}

// With both on a node, whichever hook comes first answers, and one of the two no longer changes.
Verdict judge_kube_proxy_rules(const NodeFacts& node) {
  std::vector<std::string> found = node.kube_proxy_rules;
  found.insert(found.end(), node.kube_proxy_traces.begin(), node.kube_proxy_traces.end());
  if (found.empty()) return {Outcome::Passed, "none of kube-proxy's are here"};
  if (!node.proxima_tables.empty())
    return {Outcome::Failed,
            name_list(node.proxima_tables) + " is here, and so is " + name_list(found)};
  if (!node.kube_proxy_traces.empty()) return {Outcome::Warned, name_list(found)};
  return {Outcome::Passed, "--take-over removes " + name_list(found)};
}

Verdict judge_ebpf(const NodeFacts& node) {
  if (node.ebpf_traces.empty()) return {Outcome::Passed, "neither Cilium's nor Calico's are here"};
  return {Outcome::Warned, name_list(node.ebpf_traces)};
}

}  // namespace

Verdict judge_node(Check check, const NodeFacts& node) {
  switch (check) {
    case Check::KernelVersion:
      return judge_kernel(node);
    case Check::NetAdmin:
      return {node.has_net_admin ? Outcome::Passed : Outcome::Failed, {}};
    case Check::Nftables:
      if (node.nftables) return {};
      return {Outcome::Failed, node.nftables.error().message};
    case Check::Conntrack:
      return judge_conntrack(node);
    case Check::ConntrackSettings:
      return judge_settings(node);
    case Check::OomScore:
      return judge_oom_score(node);
    case Check::CgroupVersion:
      return judge_cgroup(node);
    case Check::ClockSynchronized:
      return judge_clock(node);
    case Check::KubeProxyRules:
      if (!node.nftables) return {Outcome::Skipped, "nftables cannot be read"};
      return judge_kube_proxy_rules(node);
    case Check::EbpfPrograms:
      return judge_ebpf(node);
    default:
      check_failed("a check of the node", __FILE_NAME__, __LINE__);
  }
}

}  // namespace proxima::checks
