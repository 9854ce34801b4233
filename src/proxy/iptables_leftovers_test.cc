// SPDX-License-Identifier: Apache-2.0
#include "proxy/iptables_leftovers.h"

#include <gtest/gtest.h>

#include <sstream>

#include "dataplane/nft_socket.h"
#include "support/own_network.h"
#include "support/run_program.h"

namespace proxima::proxy {
namespace {

using dataplane::NftChainJumps;
using dataplane::NftDeleteChain;
using dataplane::NftDeleteRule;
using dataplane::NftFlushChain;
using dataplane::NftOperation;
using dataplane::NftSocket;
using dataplane::NftTransaction;

TEST(KubeProxyChains, AreKnownByTheirTableAndName) {
  const struct {
    const char* table;
    const char* chain;
    bool theirs;
  } rows[] = {
      {"nat", "KUBE-SERVICES", true},
      {"nat", "KUBE-SVC-ERIFXISQEP7F7OF4", true},
      {"nat", "KUBE-SEP-6E7XQMQ4RAYOWTTM", true},
      {"nat", "KUBE-LOAD-BALANCER", true},
      {"filter", "KUBE-PROXY-FIREWALL", true},
      {"filter", "KUBE-IPVS-FILTER", true},
      {"mangle", "KUBE-PROXY-CANARY", true},
      {"filter", "KUBE-SVC-ERIFXISQEP7F7OF4", false},
      {"filter", "KUBE-FIREWALL", false},
      {"nat", "KUBE-KUBELET-CANARY", false},
      {"mangle", "KUBE-KUBELET-CANARY", false},
      {"mangle", "KUBE-SERVICES", false},
      {"filter", "KUBE-POD-FW-XYZ", false},
      {"nat", "PREROUTING", false},
      {"nat", "KUBE-SERVICES-OF-MINE", false},
  };
  for (const auto& row : rows)
    EXPECT_EQ(is_kube_proxy_chain(row.table, row.chain), row.theirs)
        << row.table << " " << row.chain;
}

// "PREROUTING>KUBE-SERVICES,OTHER KUBE-SERVICES": chains with what they lead to. The handle of a
// jump is its place in the whole text, from 1.
std::vector<NftChainJumps> chains_of(const std::string& words) {
  std::vector<NftChainJumps> chains;
  std::istringstream stream(words);
  std::uint64_t handle = 0;
  for (std::string word; stream >> word;) {
    NftChainJumps chain{.chain = word.substr(0, word.find('>')), .jumps = {}};
    std::istringstream targets(
        word.find('>') == std::string::npos ? std::string() : word.substr(word.find('>') + 1));
    for (std::string target; std::getline(targets, target, ',');)
      chain.jumps.push_back({++handle, target});
    chains.push_back(std::move(chain));
  }
  return chains;
}

std::string text_of(const NftTransaction& transaction) {
  std::string text;
  for (const NftOperation& operation : transaction.operations) {
    if (!text.empty()) text += " ";
    if (const auto* rule = std::get_if<NftDeleteRule>(&operation))
      text += rule->chain + "#" + std::to_string(rule->handle);
    if (const auto* chain = std::get_if<NftFlushChain>(&operation)) text += "~" + chain->name;
    if (const auto* chain = std::get_if<NftDeleteChain>(&operation)) text += "-" + chain->name;
  }
  return text;
}

TEST(IptablesRemoval, UnlinksThenEmptiesThenDeletes) {
  const struct {
    const char* name;
    const char* chains;
    const char* removal;
  } rows[] = {
      {"nothing of kube-proxy", "PREROUTING>DOCKER DOCKER KUBE-KUBELET-CANARY", ""},
      {"jumps first, and only those to its chains", "PREROUTING>DOCKER,KUBE-SERVICES KUBE-SERVICES",
       "PREROUTING#2 ~KUBE-SERVICES -KUBE-SERVICES"},
      {"all chains are empty before the first goes",
       "OUTPUT>KUBE-SERVICES KUBE-SERVICES>KUBE-SVC-A KUBE-SVC-A>KUBE-SEP-B KUBE-SEP-B",
       "OUTPUT#1 ~KUBE-SEP-B ~KUBE-SERVICES ~KUBE-SVC-A -KUBE-SEP-B -KUBE-SERVICES -KUBE-SVC-A"},
      {"what a stranger leads to stays, with what that needs",
       "OUTPUT>KUBE-SERVICES KUBE-SERVICES>KUBE-MARK-MASQ CNI-DN>KUBE-MARK-MASQ KUBE-MARK-MASQ",
       "OUTPUT#1 ~KUBE-SERVICES -KUBE-SERVICES"},
      {"and so on", "CNI>KUBE-SVC-A KUBE-SVC-A>KUBE-SEP-B KUBE-SEP-B KUBE-SEP-C",
       "~KUBE-SEP-C -KUBE-SEP-C"},
      {"a circle is no trouble", "CNI>KUBE-SVC-A KUBE-SVC-A>KUBE-SEP-B KUBE-SEP-B>KUBE-SVC-A", ""},
      {"a chain that is not there is no matter", "OUTPUT>KUBE-SERVICES", ""},
  };
  for (const auto& row : rows)
    EXPECT_EQ(text_of(plan_iptables_removal(IpFamily::V4, "nat", chains_of(row.chains))),
              row.removal)
        << row.name;
}

// As iptables-nft lays them out, in a kernel.
TEST(IptablesRemoval, LeavesWhatOthersHaveInTheSameTables) {
  test::in_own_network("what is left of kube-proxy's iptables rules", [] {
    constexpr const char* kRules = R"(table ip nat {
      chain KUBE-SEP-B { meta l4proto tcp counter dnat to 10.1.0.1:8080; }
      chain KUBE-SVC-A { counter jump KUBE-SEP-B; }
      chain KUBE-MARK-MASQ { counter meta mark set meta mark | 0x4000; }
      chain KUBE-SERVICES { ip daddr 10.96.0.1 counter jump KUBE-SVC-A; counter jump KUBE-MARK-MASQ; }
      chain CNI-HOSTPORT { counter accept; }
      chain PREROUTING { type nat hook prerouting priority dstnat; policy accept;
        counter jump KUBE-SERVICES; counter jump CNI-HOSTPORT; }
      chain OUTPUT { type nat hook output priority -100; policy accept; counter jump KUBE-SERVICES; }
    })";
    ASSERT_TRUE(test::load_rules(kRules));
    auto socket = NftSocket::open();
    ASSERT_TRUE(socket.has_value());
    const auto chains = socket->jumps(IpFamily::V4, "nat");
    ASSERT_TRUE(chains.has_value()) << chains.error().message;
    const Status removed = socket->send(plan_iptables_removal(IpFamily::V4, "nat", *chains));
    ASSERT_TRUE(removed.has_value()) << removed.error().message;
    const std::string left = test::run_program("nft list ruleset").text;
    EXPECT_EQ(left.find("KUBE-"), std::string::npos) << left;
    EXPECT_NE(left.find("jump CNI-HOSTPORT"), std::string::npos) << left;
    const auto again = socket->jumps(IpFamily::V4, "nat");
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(plan_iptables_removal(IpFamily::V4, "nat", *again).empty());
  });
}

}  // namespace
}  // namespace proxima::proxy
