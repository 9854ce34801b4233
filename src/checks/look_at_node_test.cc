// SPDX-License-Identifier: Apache-2.0
#include "checks/look_at_node.h"

#include <gtest/gtest.h>

#include <fstream>

#include "checks/ebpf_traces.h"
#include "dataplane/nft_socket.h"
#include "support/own_network.h"
#include "support/temp_folder.h"

namespace proxima::checks {
namespace {

TEST(LookAtNode, ReadsWhatTheKernelShows) {
  const proxima::testing::TempFolder root;
  root.write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  root.write("proc/self/status", "Name:\tx\nCapEff:\t0000000000001000\n");
  root.write("proc/sys/net/netfilter/nf_conntrack_count", "7\n");
  root.write("proc/sys/net/netfilter/nf_conntrack_max", "262144\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "cpu\n");
  root.write("proc/self/oom_score_adj", "-300\n");
  root.write("proc/net/ip_vs", "TCP  0A600001:0050 rr\n");
  const NodeFacts facts = look_at_node(root.path());
  EXPECT_EQ(facts.kernel_release, "6.1.0-18-amd64");
  EXPECT_TRUE(facts.has_net_admin);
  ASSERT_TRUE(facts.conntrack);
  EXPECT_EQ(facts.conntrack->tracked, 7);
  EXPECT_EQ(facts.conntrack->most, 262'144);
  EXPECT_EQ(facts.cgroup, CgroupHierarchy::Two);
  EXPECT_EQ(facts.refused_oom_score, "");
  EXPECT_EQ(facts.kube_proxy_traces, std::vector<std::string>{"IPVS has 1 virtual servers"});
  // nf_conntrack_max is no 131072 here and can be written; the timeouts are not there.
  ASSERT_EQ(facts.refused_settings.size(), 4U);
  EXPECT_NE(facts.refused_settings[1].find("tcp_timeout_established"), std::string::npos);
  std::string score;
  std::ifstream(root.file("proc/self/oom_score_adj")) >> score;
  EXPECT_EQ(score, "-300") << "put back";
}

TEST(LookAtNode, SaysOfAnEmptyMachineThatItKnowsNothing) {
  const proxima::testing::TempFolder root;
  const NodeFacts facts = look_at_node(root.path());
  EXPECT_EQ(facts.kernel_release, "");
  EXPECT_FALSE(facts.has_net_admin);
  EXPECT_FALSE(facts.conntrack);
  EXPECT_EQ(facts.cgroup, CgroupHierarchy::Unknown);
  EXPECT_NE(facts.refused_oom_score.find("oom_score_adj"), std::string::npos);
}

TEST(LookAtNode, KnowsCgroupV1) {
  const proxima::testing::TempFolder root;
  root.write("sys/fs/cgroup/cpu/tasks", "1\n");
  EXPECT_EQ(look_at_node(root.path()).cgroup, CgroupHierarchy::One);
}

TEST(LookAtNode, ReadsCapabilitiesInHexadecimal) {
  const struct {
    const char* status;
    bool has;
  } cases[] = {{"CapEff:\t000001ffffffffff\n", true},
               {"CapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n", false},
               {"CapEff:\t0000000000000fff\n", false},
               {"CapEff:\n", false},
               {"", false}};
  for (const auto& row : cases) {
    const proxima::testing::TempFolder root;
    root.write("proc/self/status", row.status);
    EXPECT_EQ(has_net_admin(root.path()), row.has) << row.status;
  }
}

TEST(LookAtNode, FindsWhoseRulesAreInNftables) {
  test::in_own_network("whose rules are in nftables", [] {
    auto socket = dataplane::NftSocket::open();
    ASSERT_TRUE(socket);
    EXPECT_TRUE(look_at_node({}).kube_proxy_rules.empty());
    const auto add = [&](const char* table, std::vector<dataplane::NftOperation> operations) {
      operations.insert(operations.begin(), dataplane::NftAddTable{});
      const Status sent = socket->send(
          {.family = IpFamily::V4, .table = table, .operations = std::move(operations)});
      EXPECT_TRUE(sent) << sent.error().message;
    };
    add("kube-proxy", {});
    add("proxima", {});
    add("proxima-mine", {});
    add("nat", {dataplane::NftAddChain{.name = "KUBE-SERVICES"}});
    add("filter", {dataplane::NftAddChain{.name = "KUBE-FIREWALL"}});
    const NodeFacts facts = look_at_node({});
    EXPECT_TRUE(facts.nftables);
    EXPECT_EQ(facts.kube_proxy_rules,
              (std::vector<std::string>{"table ip kube-proxy", "table ip nat"}));
    EXPECT_EQ(facts.proxima_tables, std::vector<std::string>{"table ip proxima"});
  });
}

TEST(EbpfTraces, AreDevicesAndPinnedMaps) {
  const proxima::testing::TempFolder root;
  EXPECT_TRUE(find_ebpf_traces(root.path()).empty());
  root.write("proc/net/dev",
             "Inter-|   Receive\n face |bytes\n    lo: 1 2\ncilium_host: 1 2\ncilium_net: 1 2\n");
  root.write("sys/fs/bpf/cilium/x", "");
  root.write("sys/fs/bpf/tc/globals/cali_v4_nat_fe3", "");
  root.write("sys/fs/bpf/tc/globals/another", "");
  EXPECT_EQ(
      find_ebpf_traces(root.path()),
      (std::vector<std::string>{"Cilium: the device cilium_host", "Cilium: /sys/fs/bpf/cilium",
                                "Calico: /sys/fs/bpf/tc/globals/cali_v4_nat_fe3"}));
}

}  // namespace
}  // namespace proxima::checks
