// SPDX-License-Identifier: Apache-2.0
#include "checks/check_table.h"

#include "base/check.h"

namespace proxima::checks {
namespace {

using enum Check;
using enum Group;
using enum Stage;

constexpr CheckText kChecks[] = {
    {KernelVersion, "kernel-version", Node, Before, Component::Proxy, "the kernel is recent enough",
     "upgrade the kernel to 5.13 or later, as the nftables mode of kube-proxy requires",
     "docs/proxy.md"},
    {NetAdmin, "net-admin", Node, Before, Component::Proxy,
     "this process has the capability NET_ADMIN",
     "run the command as root on the node, or give the container NET_ADMIN", "docs/proxy.md"},
    {Nftables, "nftables", Node, Before, Component::Proxy, "nftables can be used",
     "load the kernel module nf_tables, and allow NET_ADMIN in the network namespace of the node",
     "docs/proxy.md"},
    {Conntrack, "conntrack", Node, Before, Component::Proxy,
     "connections are tracked, with room for more",
     "load the kernel module nf_conntrack; where the table is nearly full, raise nf_conntrack_max",
     "docs/proxy.md"},
    {ConntrackSettings, "conntrack-settings", Node, Before, Component::Proxy,
     "settings of connection tracking can be written",
     "run the init container as privileged, or set those fields of conntrack in the proxy's "
     "configuration to 0",
     "docs/howto/replace-kube-proxy.md"},
    {OomScore, "oom-score", Node, Before, Component::Proxy, "oom_score_adj can be lowered",
     "allow SYS_RESOURCE, or set oomScoreAdj to 0 in the proxy's configuration", "docs/proxy.md"},
    {CgroupVersion, "cgroup-v2", Node, Before, Component::Proxy, "the node uses cgroup v2",
     "boot the node with the unified cgroup hierarchy: kubelet deprecates cgroup v1",
     "docs/proxy.md"},
    {ClockSynchronized, "clock-synchronized", Node, Before, Component::Both,
     "the clock of this node is synchronized",
     "run a time service such as chrony or systemd-timesyncd", "docs/operations.md"},
    {KubeProxyRules, "kube-proxy-rules", Node, Before, Component::Proxy,
     "kube-proxy leaves no rules beside Proxima's, and none that Proxima cannot remove",
     "stop kube-proxy on this node, and run `kube-proxy --cleanup` of the version that ran here",
     "docs/proxy.md"},
    {EbpfPrograms, "ebpf-programs", Node, Before, Component::Proxy,
     "no eBPF program takes the traffic of Services before nftables",
     "switch the kube-proxy replacement of the CNI plugin off, or install only the controller",
     "docs/howto/hints-only.md"},
    {ApiReachable, "api-reachable", Api, Before, Component::Both, "the API server answers",
     "check the server's address, the network, and the credentials in the kubeconfig",
     "docs/operations.md"},
    {ApiVersion, "api-version", Api, Before, Component::Both,
     "the version of the API server is a tested one",
     "use Kubernetes 1.33 to 1.36; older servers lack fields that hints need",
     "docs/operations.md"},
    {ApiLatency, "api-latency", Api, Before, Component::Both, "the API server answers quickly",
     "look for load on the API server and etcd, or run the command nearer to them",
     "docs/operations.md"},
    {ClockSkew, "clock-skew", Api, Before, Component::Both,
     "this clock agrees with that of the API server",
     "synchronize both clocks: tokens and certificates are valid for a time", "docs/operations.md"},
    {ControllerRights, "controller-rights", Rights, Before, Component::Controller,
     "these credentials have every right that the controller needs",
     "use the credentials of an administrator to install; inside the Pod, apply the manifests anew",
     "docs/security.md"},
    {ProxyRights, "proxy-rights", Rights, Before, Component::Proxy,
     "these credentials have every right that the node proxy needs",
     "use the credentials of an administrator to install; inside the Pod, apply the manifests anew",
     "docs/security.md"},
    {NodeZones, "node-zones", Cluster, Before, Component::Both, "every Node names its zone",
     "label the Nodes with topology.kubernetes.io/zone", "docs/reference/annotations.md"},
    {NodeCpu, "node-cpu", Cluster, Before, Component::Controller, "every Node has allocatable CPU",
     "repair the kubelet of these Nodes, or choose another --demand than cpu", "docs/concepts.md"},
    {SliceManagers, "slice-managers", Cluster, Before, Component::Controller,
     "every EndpointSlice names who manages it",
     "set the label endpointslice.kubernetes.io/managed-by on slices that you write",
     "docs/controller.md"},
    {UpstreamController, "upstream-controller", Cluster, Before, Component::Controller,
     "the EndpointSlice controller of kube-controller-manager is switched off",
     "add -endpointslice-controller to --controllers of kube-controller-manager before Proxima's "
     "controller starts",
     "deploy/upstream/README.md"},
    {KubeProxyDaemonSet, "kube-proxy-daemon-set", Cluster, Before, Component::Proxy,
     "kube-proxy keeps away from nodes that Proxima routes",
     "patch the DaemonSet of kube-proxy so that it avoids nodes labelled "
     "proxima.io/node-proxy=enabled",
     "docs/howto/replace-kube-proxy.md"},
    {ServiceBypass, "service-bypass", Cluster, Before, Component::Proxy,
     "the CNI plugin leaves Services to the node proxy",
     "switch the kube-proxy replacement of the CNI plugin off, or install only the controller",
     "docs/howto/hints-only.md"},
    {ControllerLease, "controller-lease", Proxima, After, Component::Controller,
     "a controller holds the Lease and renews it",
     "start the controller, and look at its log and its rights", "docs/operations.md"},
    {ControllerDeployment, "controller-deployment", Proxima, After, Component::Controller,
     "every replica of the controller is available",
     "look at the Pods of the Deployment with kubectl describe", "docs/operations.md"},
    {ProxyDaemonSet, "proxy-daemon-set", Proxima, After, Component::Proxy,
     "the node proxy is ready on every node that is to have it",
     "look at the Pods of the DaemonSet that are not ready with kubectl describe",
     "docs/operations.md"},
    {OneProxyPerNode, "one-proxy-per-node", Proxima, After, Component::Proxy,
     "every node has one proxy: kube-proxy or Proxima's",
     "label every node for one of the two, and keep the other away from it",
     "docs/howto/replace-kube-proxy.md"},
    {Versions, "versions", Proxima, After, Component::Both,
     "controller, node proxies and this program have one version",
     "upgrade the controller first, then the node proxies", "docs/operations.md"},
};

constexpr bool is_in_order() {
  std::size_t at = 0;
  for (const CheckText& text : kChecks)
    if (static_cast<std::size_t>(text.check) != at++) return false;
  return at == static_cast<std::size_t>(Versions) + 1;
}
static_assert(is_in_order(), "one row a check, in the order of the enumerators");

}  // namespace

std::string_view to_text(Group group) {
  switch (group) {
    case Node:
      return "This node";
    case Api:
      return "API server";
    case Rights:
      return "Rights";
    case Cluster:
      return "Cluster";
    case Proxima:
      return "Proxima";
  }
  check_failed("a group of checks", __FILE_NAME__, __LINE__);
}

std::string_view to_text(Component component) {
  switch (component) {
    case Component::Both:
      return "both";
    case Component::Controller:
      return "controller";
    case Component::Proxy:
      return "proxy";
  }
  check_failed("a component", __FILE_NAME__, __LINE__);
}

std::span<const CheckText> all_checks() { return kChecks; }

const CheckText& text_of(Check check) { return kChecks[static_cast<std::size_t>(check)]; }

std::size_t number_of(Check check) { return static_cast<std::size_t>(check) + 1; }

bool Scope::includes(const CheckText& text) const {
  if (text.stage == After && stage == Before) return false;
  if (component != Component::Both && text.component != Component::Both &&
      text.component != component)
    return false;
  return text.group == Node ? node : api;
}

std::vector<Check> checks_in(const Scope& scope) {
  std::vector<Check> found;
  for (const CheckText& text : kChecks)
    if (scope.includes(text)) found.push_back(text.check);
  return found;
}

}  // namespace proxima::checks
