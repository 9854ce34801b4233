// SPDX-License-Identifier: Apache-2.0
// Worlds in which everything is well but for one thing, and what is said about it.
#include "checks/judge.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "base/timestamp.h"

namespace proxima::checks {
namespace {

using namespace std::chrono_literals;

NodeFacts good_node() {
  return {.kernel_release = "6.1.0-18-amd64",
          .has_net_admin = true,
          .conntrack = ConntrackUse{.tracked = 12, .most = 131'072},
          .cgroup = CgroupHierarchy::Two,
          .clock = ClockState::Synchronized};
}

Clock::WallTime at(std::string_view time) { return *parse_time(time); }

ServerFacts good_server() {
  return {.url = "https://10.0.0.1:6443",
          .version = {"v1.36.4", 1, 36},
          .latencies = {3'000us, 1'200us, 2'500us},
          .clock_ahead = 300ms,
          .now = at("2026-11-19T12:00:00Z")};
}

constexpr const char* kSlices = "endpointslice-controller.k8s.io";

// Three nodes in two zones: two with Proxima's proxy, one with kube-proxy.
ClusterFacts good_cluster() {
  ClusterFacts facts{.server = good_server()};
  facts.nodes = std::vector<NodeRow>{{"n1", "a", true}, {"n2", "a", true}, {"n3", "b", true}};
  facts.slices = std::vector<SliceRow>{{.managed_by = kSlices}, {.is_of_api_server = true}};
  facts.daemon_sets = std::vector<Workload>{{.ns = "kube-system",
                                             .name = "kube-proxy",
                                             .wanted = 1,
                                             .ready = 1,
                                             .updated = 1,
                                             .avoids_proxima = true},
                                            {.ns = "kube-system",
                                             .name = "proxima-proxy",
                                             .component = "proxy",
                                             .image = "proxima:0.1.0",
                                             .wanted = 2,
                                             .ready = 2,
                                             .updated = 2}};
  facts.deployments = std::vector<Workload>{{.ns = "kube-system",
                                             .name = "proxima-controller",
                                             .component = "controller",
                                             .image = "proxima:0.1.0",
                                             .wanted = 2,
                                             .ready = 2}};
  facts.lease = std::optional(LeaseFacts{.name = "kube-system/proxima-controller",
                                         .holder = "host-1",
                                         .duration = 15s,
                                         .acquired = at("2026-11-19T10:00:00Z"),
                                         .renewed = at("2026-11-19T11:59:58Z")});
  return facts;
}

Facts good_world() { return {.node = good_node(), .cluster = good_cluster(), .version = "0.1.0"}; }

Workload& ours(ClusterFacts& cluster) { return (*cluster.daemon_sets)[1]; }
Workload& kube_proxy(ClusterFacts& cluster) { return (*cluster.daemon_sets)[0]; }
Workload& controller(ClusterFacts& cluster) { return (*cluster.deployments)[0]; }
Error denied() { return {ErrorCode::Denied, "daemonsets is forbidden"}; }

using Node = std::function<void(NodeFacts&)>;
using World = std::function<void(ClusterFacts&)>;

struct Row {
  const char* name;
  Check check;
  std::function<void(Facts&)> change;
  Outcome outcome;
  const char* detail;
  Stage stage = Stage::After;
};
Row on_node(const char* name, Check check, const Node& change, Outcome outcome,
            const char* detail) {
  return {name, check, [change](Facts& facts) { change(*facts.node); }, outcome, detail};
}
Row in_world(const char* name, Check check, const World& change, Outcome outcome,
             const char* detail, Stage stage = Stage::After) {
  return {name, check, [change](Facts& facts) { change(*facts.cluster); }, outcome, detail, stage};
}

std::vector<Row> node_rows() {
  using enum Outcome;
  return {
      on_node(
          "an old kernel", Check::KernelVersion,
          [](auto& n) { n.kernel_release = "5.10.0-8-amd64"; }, Warned, "Linux 5.10.0-8-amd64"),
      on_node(
          "the oldest kernel that will do", Check::KernelVersion,
          [](auto& n) { n.kernel_release = "5.13.0"; }, Passed, "Linux 5.13.0"),
      on_node(
          "a kernel without a version", Check::KernelVersion,
          [](auto& n) { n.kernel_release = "unknown"; }, Skipped,
          "the version of the kernel cannot be read"),
      on_node(
          "a user without rights", Check::NetAdmin, [](auto& n) { n.has_net_admin = false; },
          Failed, ""),
      on_node(
          "no nftables", Check::Nftables,
          [](auto& n) {
            n.nftables = Error{ErrorCode::Denied, "Operation not permitted"};
          },
          Failed, "Operation not permitted"),
      on_node(
          "no nftables to find kube-proxy's rules in", Check::KubeProxyRules,
          [](auto& n) {
            n.nftables = Error{ErrorCode::Denied, "Operation not permitted"};
          },
          Skipped, "nftables cannot be read"),
      on_node(
          "no connection tracking", Check::Conntrack, [](auto& n) { n.conntrack.reset(); }, Warned,
          "the module nf_conntrack is not loaded"),
      on_node(
          "a table of connections that is nearly full", Check::Conntrack,
          [](auto& n) {
            n.conntrack = ConntrackUse{950, 1000};
          },
          Warned, "950 of 1000 connections"),
      on_node(
          "a table of connections with room", Check::Conntrack,
          [](auto& n) {
            n.conntrack = ConntrackUse{899, 1000};
          },
          Passed, "899 of 1000 connections"),
      on_node(
          "a table of connections without a limit", Check::Conntrack,
          [](auto& n) {
            n.conntrack = ConntrackUse{5, 0};
          },
          Passed, "without a limit"),
      on_node(
          "a node that is a network namespace", Check::ConntrackSettings,
          [](auto& n) { n.refused_settings = {"nf_conntrack_max = 131072: Permission denied"}; },
          Warned, "nf_conntrack_max = 131072: Permission denied"),
      on_node(
          "a container without SYS_RESOURCE", Check::OomScore,
          [](auto& n) { n.refused_oom_score = "oom_score_adj = -999: Permission denied"; }, Warned,
          "oom_score_adj = -999: Permission denied"),
      on_node(
          "cgroup v1", Check::CgroupVersion, [](auto& n) { n.cgroup = CgroupHierarchy::One; },
          Warned, "/sys/fs/cgroup is cgroup v1"),
      on_node(
          "a container that does not see its cgroup", Check::CgroupVersion,
          [](auto& n) { n.cgroup = CgroupHierarchy::Unknown; }, Skipped,
          "/sys/fs/cgroup cannot be seen"),
      on_node(
          "a clock on its own", Check::ClockSynchronized,
          [](auto& n) { n.clock = ClockState::Unsynchronized; }, Warned,
          "the kernel says that nothing synchronizes it"),
      on_node(
          "a kernel that says nothing about its clock", Check::ClockSynchronized,
          [](auto& n) { n.clock = ClockState::Unknown; }, Skipped, "the kernel does not say"),
      on_node(
          "kube-proxy's rules where ours are not yet", Check::KubeProxyRules,
          [](auto& n) {
            n.kube_proxy_rules = {"table ip kube-proxy", "table ip6 kube-proxy"};
          },
          Passed, "--take-over removes table ip kube-proxy and table ip6 kube-proxy"),
      on_node(
          "what --take-over cannot remove", Check::KubeProxyRules,
          [](auto& n) { n.kube_proxy_traces = {"IPVS has 3 virtual servers"}; }, Warned,
          "IPVS has 3 virtual servers"),
      on_node(
          "kube-proxy's rules beside ours", Check::KubeProxyRules,
          [](auto& n) {
            n.kube_proxy_rules = {"table ip kube-proxy"};
            n.proxima_tables = {"table ip proxima"};
          },
          Failed, "table ip proxima is here, and so is table ip kube-proxy"),
      on_node(
          "Cilium on the node", Check::EbpfPrograms,
          [](auto& n) { n.ebpf_traces = {"Cilium: the device cilium_host"}; }, Warned,
          "Cilium: the device cilium_host"),
  };
}

std::vector<Row> api_rows() {
  using enum Outcome;
  return {
      in_world(
          "a server before discovery.k8s.io/v1", Check::ApiVersion,
          [](auto& c) {
            c.server.version = {"v1.20.15", 1, 20};
          },
          Failed, "v1.20.15 has no discovery.k8s.io/v1"),
      in_world(
          "a server older than those that are tested", Check::ApiVersion,
          [](auto& c) {
            c.server.version = {"v1.32.9", 1, 32};
          },
          Warned, "v1.32.9"),
      in_world(
          "the oldest server that is tested", Check::ApiVersion,
          [](auto& c) {
            c.server.version = {"v1.33.0", 1, 33};
          },
          Passed, "v1.33.0"),
      in_world(
          "a server newer than those that are tested", Check::ApiVersion,
          [](auto& c) {
            c.server.version = {"v1.37.0", 1, 37};
          },
          Warned, "v1.37.0"),
      in_world(
          "a server with one slow answer", Check::ApiLatency,
          [](auto& c) {
            c.server.latencies = {1'000us, 9'000'000us, 2'000us};
          },
          Passed, "half of 3 requests took at most 2 ms"),
      in_world(
          "a slow server", Check::ApiLatency,
          [](auto& c) {
            c.server.latencies = {250'000us, 300'000us, 1'000us};
          },
          Warned, "half of 3 requests took at most 250 ms"),
      in_world(
          "a server too slow for a Lease", Check::ApiLatency,
          [](auto& c) { c.server.latencies = {2'000'000us}; }, Failed,
          "half of 1 requests took at most 2000 ms"),
      in_world(
          "a server that was not measured", Check::ApiLatency,
          [](auto& c) { c.server.latencies.clear(); }, Skipped, "nothing was measured"),
      in_world(
          "clocks that differ", Check::ClockSkew, [](auto& c) { c.server.clock_ahead = 7'400ms; },
          Warned, "the server's is 7 s ahead"),
      in_world(
          "a clock that is far off", Check::ClockSkew,
          [](auto& c) { c.server.clock_ahead = -3600s; }, Failed, "the server's is 3600 s behind"),
      in_world(
          "a server without a date", Check::ClockSkew,
          [](auto& c) { c.server.clock_ahead.reset(); }, Skipped,
          "the answers of the server have no date"),
      in_world(
          "a right of the controller that is missing", Check::ControllerRights,
          [](auto& c) {
            c.refused_rights = std::vector<Right>{
                {.component = Component::Controller,
                 .verb = "patch",
                 .resource = "services/status"},
                {.component = Component::Proxy, .verb = "list", .resource = "nodes"}};
          },
          Failed, "not allowed: patch services/status"),
      in_world(
          "rights of the proxy that are missing", Check::ProxyRights,
          [](auto& c) {
            c.refused_rights = std::vector<Right>{
                {.component = Component::Proxy,
                 .verb = "watch",
                 .group = "discovery.k8s.io",
                 .resource = "endpointslices"},
                {.component = Component::Proxy, .verb = "post", .path = "/node-reports"},
                {.component = Component::Proxy,
                 .verb = "get",
                 .resource = "configmaps",
                 .ns = "px",
                 .name = "proxima-reports"}};
          },
          Failed,
          "not allowed: watch endpointslices.discovery.k8s.io, post /node-reports and get "
          "configmaps proxima-reports in px"),
      in_world(
          "a server that does not review access", Check::ProxyRights,
          [](auto& c) {
            c.refused_rights = Error{ErrorCode::NotFound, "no such resource"};
          },
          Skipped, "access is not reviewed: no such resource"),
  };
}

std::vector<Row> cluster_rows() {
  using enum Outcome;
  return {
      in_world(
          "Nodes without a zone", Check::NodeZones,
          [](auto& c) { (*c.nodes)[0].zone = (*c.nodes)[2].zone = ""; }, Warned,
          "2 of 3 Nodes without: n1 and n3"),
      in_world(
          "no Nodes", Check::NodeZones, [](auto& c) { c.nodes->clear(); }, Failed,
          "there are no Nodes"),
      in_world(
          "Nodes that may not be listed", Check::NodeZones,
          [](auto& c) {
            c.nodes = Error{ErrorCode::Denied, "nodes is forbidden"};
          },
          Skipped, "Nodes: nodes is forbidden"),
      in_world(
          "a Node without CPU", Check::NodeCpu, [](auto& c) { (*c.nodes)[1].has_cpu = false; },
          Warned, "without: n2"),
      in_world(
          "slices that nobody manages", Check::SliceManagers,
          [](auto& c) { c.slices->push_back({}); }, Warned,
          "nobody (1) and endpointslice-controller.k8s.io (1)"),
      in_world(
          "a cluster without slices", Check::SliceManagers, [](auto& c) { c.slices->clear(); },
          Passed, "there are no EndpointSlices yet"),
      in_world(
          "slices that the server cannot list", Check::SliceManagers,
          [](auto& c) {
            c.slices = Error{ErrorCode::Retry, "etcd is down"};
          },
          Failed, "EndpointSlices: etcd is down"),
      in_world(
          "upstream's controller before the installation", Check::UpstreamController,
          [](auto& c) { c.manager_pods = std::vector<ManagerPod>{{"kube-system/kcm-1"}}; }, Warned,
          "it runs in kube-system/kcm-1", Stage::Before),
      in_world(
          "upstream's controller beside ours", Check::UpstreamController,
          [](auto& c) {
            c.manager_pods =
                std::vector<ManagerPod>{{"kube-system/kcm-1", false}, {"kube-system/kcm-2", true}};
          },
          Failed, "it runs in kube-system/kcm-2"),
      in_world(
          "upstream's controller switched off", Check::UpstreamController,
          [](auto& c) {
            c.manager_pods = std::vector<ManagerPod>{{"kube-system/kcm-1", false}};
          },
          Passed, "in 1 Pod"),
      in_world(
          "upstream's last write before ours", Check::UpstreamController,
          [](auto& c) { (*c.slices)[0].upstream_wrote = at("2026-11-19T09:00:00Z"); }, Passed,
          "it last wrote an EndpointSlice at 2026-11-19T09:00:00Z, before Proxima's controller "
          "took the Lease"),
      in_world(
          "upstream writes after ours took over", Check::UpstreamController,
          [](auto& c) { (*c.slices)[0].upstream_wrote = at("2026-11-19T11:00:00Z"); }, Failed,
          "it last wrote an EndpointSlice at 2026-11-19T11:00:00Z, after Proxima's controller "
          "took the Lease at 2026-11-19T10:00:00Z"),
      in_world(
          "upstream writes, and the control plane is not to be seen", Check::UpstreamController,
          [](auto& c) { (*c.slices)[0].upstream_wrote = at("2026-11-19T11:00:00Z"); }, Warned,
          "it last wrote an EndpointSlice at 2026-11-19T11:00:00Z", Stage::Before),
      in_world(
          "slices of upstream's mirroring controller are not ours", Check::UpstreamController,
          [](auto& c) {
            (*c.slices)[0].managed_by = "endpointslicemirroring-controller.k8s.io";
            (*c.slices)[0].upstream_wrote = at("2026-11-19T11:00:00Z");
          },
          Passed, "it has written none of the EndpointSlices"),
      in_world(
          "kube-proxy everywhere, before", Check::KubeProxyDaemonSet,
          [](auto& c) {
            kube_proxy(c).avoids_proxima = false;
            ours(c).component = "";
          },
          Warned, "kube-system/kube-proxy is for 1 node, whatever their labels", Stage::Before),
      in_world(
          "kube-proxy everywhere, beside ours", Check::KubeProxyDaemonSet,
          [](auto& c) { kube_proxy(c).avoids_proxima = false; }, Failed,
          "kube-system/kube-proxy is for 1 node, whatever their labels"),
      in_world(
          "no kube-proxy", Check::KubeProxyDaemonSet,
          [](auto& c) { kube_proxy(c).name = "flannel"; }, Passed,
          "there is no DaemonSet of kube-proxy"),
      in_world(
          "DaemonSets that may not be listed", Check::KubeProxyDaemonSet,
          [](auto& c) { c.daemon_sets = denied(); }, Skipped,
          "DaemonSets: daemonsets is forbidden"),
      in_world(
          "Cilium in kube-proxy's place, before", Check::ServiceBypass,
          [](auto& c) {
            c.bypasses = std::vector<std::string>{"kube-proxy-replacement=true in x/y"};
            ours(c).component = "";
          },
          Warned, "kube-proxy-replacement=true in x/y", Stage::Before),
      in_world(
          "Cilium and our proxies", Check::ServiceBypass,
          [](auto& c) {
            c.bypasses = std::vector<std::string>{"kube-proxy-replacement=true in x/y"};
          },
          Failed, "kube-proxy-replacement=true in x/y"),
      in_world(
          "Calico's eBPF by a variable", Check::ServiceBypass,
          [](auto& c) { kube_proxy(c).has_felix_ebpf = true; }, Failed,
          "FELIX_BPFENABLED=true in kube-system/kube-proxy"),
  };
}

std::vector<Row> proxima_rows() {
  using enum Outcome;
  return {
      in_world(
          "no controller yet", Check::ControllerLease,
          [](auto& c) { c.lease = std::optional<LeaseFacts>(); }, Failed,
          "there is no Lease: no controller has led yet"),
      in_world(
          "a Lease that was given back", Check::ControllerLease,
          [](auto& c) { (*c.lease)->holder = ""; }, Failed,
          "nobody holds kube-system/proxima-controller"),
      in_world(
          "a Lease without a time", Check::ControllerLease,
          [](auto& c) { (*c.lease)->renewed.reset(); }, Failed,
          "kube-system/proxima-controller does not say when it was renewed"),
      in_world(
          "a leader that is gone", Check::ControllerLease,
          [](auto& c) { (*c.lease)->renewed = at("2026-11-19T11:59:39Z"); }, Failed,
          "host-1 last renewed kube-system/proxima-controller 21 s ago"),
      in_world(
          "a leader whose clock is a little behind", Check::ControllerLease,
          [](auto& c) { (*c.lease)->renewed = at("2026-11-19T11:59:40Z"); }, Passed,
          "host-1 holds kube-system/proxima-controller"),
      in_world(
          "a controller without a standby", Check::ControllerDeployment,
          [](auto& c) { controller(c).ready = 1; }, Warned,
          "kube-system/proxima-controller: 1 of 2 available"),
      in_world(
          "a controller that does not start", Check::ControllerDeployment,
          [](auto& c) { controller(c).ready = 0; }, Failed,
          "kube-system/proxima-controller: 0 of 2 available"),
      in_world(
          "a controller that runs as a unit", Check::ControllerDeployment,
          [](auto& c) { c.deployments->clear(); }, Skipped,
          "there is no Deployment of Proxima's controller"),
      in_world(
          "a proxy that is not ready", Check::ProxyDaemonSet, [](auto& c) { ours(c).ready = 1; },
          Failed, "kube-system/proxima-proxy: 1 of 2 ready"),
      in_world(
          "an upgrade under way", Check::ProxyDaemonSet, [](auto& c) { ours(c).updated = 1; },
          Warned, "kube-system/proxima-proxy: 2 of 2 ready, 1 of 2 updated"),
      in_world(
          "no node is labelled", Check::ProxyDaemonSet, [](auto& c) { ours(c).wanted = 0; }, Warned,
          "kube-system/proxima-proxy: no node has the label proxima.io/node-proxy=enabled"),
      in_world(
          "hints only", Check::ProxyDaemonSet, [](auto& c) { ours(c).component = ""; }, Skipped,
          "there is no DaemonSet of Proxima's node proxy"),
      in_world(
          "a node with both proxies", Check::OneProxyPerNode,
          [](auto& c) { kube_proxy(c).wanted = 2; }, Failed,
          "Proxima's on 2 and kube-proxy on 2 of 3 nodes: some have both"),
      in_world(
          "a node without a proxy", Check::OneProxyPerNode,
          [](auto& c) { kube_proxy(c).wanted = 0; }, Warned,
          "Proxima's on 2 and kube-proxy on 0 of 3 nodes: some have neither by a DaemonSet"),
      in_world(
          "kube-proxy alone", Check::OneProxyPerNode, [](auto& c) { ours(c).component = ""; },
          Skipped, "no node has Proxima's node proxy by a DaemonSet"),
      in_world(
          "proxies of an older version", Check::Versions,
          [](auto& c) { ours(c).image = "registry:5000/proxima:0.0.9@sha256:12"; }, Warned,
          "controller 0.1.0, proxy 0.0.9 and this program 0.1.0"),
      in_world(
          "images without a version", Check::Versions,
          [](auto& c) { ours(c).image = controller(c).image = "localhost:5000/proxima"; }, Skipped,
          "no image of Proxima tells its version"),
  };
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto& part : {node_rows(), api_rows(), cluster_rows(), proxima_rows()})
    rows.insert(rows.end(), part.begin(), part.end());
  rows.push_back({"no API server", Check::ApiReachable,
                  [](Facts& facts) {
                    facts.cluster = Error{ErrorCode::Retry, "Connection refused"};
                  },
                  Outcome::Failed, "Connection refused"});
  rows.push_back({"nothing to ask about rights without an API server", Check::ControllerRights,
                  [](Facts& facts) {
                    facts.cluster = Error{ErrorCode::Retry, "Connection refused"};
                  },
                  Outcome::Skipped, "the API server does not answer"});
  rows.push_back({"a node that was not looked at", Check::Nftables,
                  [](Facts& facts) {
                    facts.node = Error{ErrorCode::Denied, "not a node"};
                  },
                  Outcome::Skipped, "not a node"});
  return rows;
}

Verdict verdict_in(const std::vector<CheckResult>& results, Check check) {
  for (const CheckResult& result : results)
    if (result.check == check) return result.verdict;
  ADD_FAILURE() << text_of(check).id << " was not judged";
  return {};
}

TEST(Judge, SaysWhatIsWrongAndNothingElse) {
  for (const Row& row : all_rows()) {
    SCOPED_TRACE(row.name);
    Facts facts = good_world();
    row.change(facts);
    const Verdict verdict = verdict_in(judge(facts, {.stage = row.stage}), row.check);
    EXPECT_EQ(to_text(verdict.outcome), to_text(row.outcome));
    EXPECT_EQ(verdict.detail, row.detail);
  }
}

TEST(Judge, HasARowForEveryCheckThatCanGoWrong) {
  std::set<Check> wrong;
  for (const Row& row : all_rows()) {
    if (row.outcome == Outcome::Warned || row.outcome == Outcome::Failed) wrong.insert(row.check);
  }
  for (const CheckText& text : all_checks()) EXPECT_TRUE(wrong.contains(text.check)) << text.id;
}

TEST(Judge, FindsNothingWrongWhereEverythingIsWell) {
  const auto results = judge(good_world(), {});
  EXPECT_EQ(results.size(), all_checks().size());
  for (const CheckResult& result : results)
    EXPECT_EQ(to_text(result.verdict.outcome), "ok")
        << text_of(result.check).id << ": " << result.verdict.detail;
}

std::string ids_in(const Scope& scope) {
  std::string ids;
  for (const Check check : checks_in(scope))
    ids += (ids.empty() ? "" : " ") + std::string(text_of(check).id);
  return ids;
}

TEST(Judge, AnswersOnlyWhatIsAsked) {
  EXPECT_EQ(ids_in({.node = false, .api = false}), "");
  EXPECT_EQ(ids_in({.component = Component::Controller, .api = false}), "clock-synchronized");
  EXPECT_EQ(
      ids_in({.stage = Stage::Before, .component = Component::Controller, .node = false}),
      "api-reachable api-version api-latency clock-skew controller-rights node-zones node-cpu "
      "slice-managers upstream-controller");
  EXPECT_EQ(ids_in({.component = Component::Proxy, .node = false}),
            "api-reachable api-version api-latency clock-skew proxy-rights node-zones "
            "kube-proxy-daemon-set service-bypass proxy-daemon-set one-proxy-per-node versions");
}

TEST(Judge, CountsOutcomes) {
  Facts facts = good_world();
  facts.node = Error{ErrorCode::Denied, "not a node"};
  facts.cluster->nodes->clear();
  controller(*facts.cluster).ready = 1;
  const Tally counts = tally(judge(facts, {}));
  EXPECT_EQ(counts.skipped, 10U);
  EXPECT_EQ(counts.warned, 1U);
  EXPECT_EQ(counts.failed, 2U) << "no Nodes, and more proxies than Nodes";
  EXPECT_EQ(counts.passed + 13U, all_checks().size());
}

TEST(CheckTable, HasWordsForEveryRow) {
  std::map<std::string, int> ids;
  for (const CheckText& text : all_checks()) {
    EXPECT_EQ(++ids[std::string(text.id)], 1) << text.id;
    for (const std::string_view words : {text.id, text.title, text.remedy, text.page})
      EXPECT_FALSE(words.empty()) << text.id;
    EXPECT_FALSE(text.remedy.ends_with('.')) << text.id;
    EXPECT_EQ(text.stage == Stage::After, text.group == Group::Proxima) << text.id;
    EXPECT_EQ(&text_of(text.check), &text);
  }
  EXPECT_EQ(number_of(Check::KernelVersion), 1U);
}

}  // namespace
}  // namespace proxima::checks
