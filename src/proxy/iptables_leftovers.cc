// SPDX-License-Identifier: Apache-2.0
#include "proxy/iptables_leftovers.h"

#include <algorithm>
#include <set>
#include <string>

namespace proxima::proxy {
namespace {

using namespace dataplane;

// The chains that iptables makes itself, in one table or another.
constexpr std::array<std::string_view, 5> kBuiltIn = {"PREROUTING", "INPUT", "FORWARD", "OUTPUT",
                                                      "POSTROUTING"};

struct TableChain {
  std::string_view table;
  std::string_view chain;
};
constexpr TableChain kChains[] = {
    {"nat", "KUBE-SERVICES"},
    {"nat", "KUBE-NODEPORTS"},
    {"nat", "KUBE-POSTROUTING"},
    {"nat", "KUBE-MARK-MASQ"},
    {"nat", "KUBE-PROXY-CANARY"},
    {"nat", "KUBE-NODE-PORT"},
    {"nat", "KUBE-LOAD-BALANCER"},
    {"filter", "KUBE-SERVICES"},
    {"filter", "KUBE-EXTERNAL-SERVICES"},
    {"filter", "KUBE-FORWARD"},
    {"filter", "KUBE-NODEPORTS"},
    {"filter", "KUBE-PROXY-FIREWALL"},
    {"filter", "KUBE-PROXY-CANARY"},
    {"filter", "KUBE-NODE-PORT"},
    {"filter", "KUBE-SOURCE-RANGES-FIREWALL"},
    {"filter", "KUBE-IPVS-FILTER"},
    {"filter", "KUBE-IPVS-OUT-FILTER"},
    {"mangle", "KUBE-PROXY-CANARY"},
};
// Of Services and endpoints, in nat.
constexpr std::array<std::string_view, 5> kPrefixes = {"KUBE-SVC-", "KUBE-SVL-", "KUBE-FW-",
                                                       "KUBE-EXT-", "KUBE-SEP-"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::ranges::end(names);
}

using Names = std::set<std::string, std::less<>>;

void keep(const std::vector<NftChainJumps>& chains, const std::string& name, Names& removable) {
  if (removable.erase(name) == 0) return;
  for (const NftChainJumps& chain : chains) {
    if (chain.chain != name) continue;
    for (const NftChainJumps::Jump& jump : chain.jumps) keep(chains, jump.target, removable);
  }
}

Names removable_chains(std::string_view table, const std::vector<NftChainJumps>& chains) {
  Names removable;
  for (const NftChainJumps& chain : chains) {
    if (is_kube_proxy_chain(table, chain.chain)) removable.insert(chain.chain);
  }
  for (const NftChainJumps& chain : chains) {
    if (contains(kBuiltIn, chain.chain) || is_kube_proxy_chain(table, chain.chain)) continue;
    for (const NftChainJumps::Jump& jump : chain.jumps) keep(chains, jump.target, removable);
  }
  return removable;
}

}  // namespace

bool is_kube_proxy_chain(std::string_view table, std::string_view chain) {
  const auto known = [&](const TableChain& row) {
    return row.table == table && row.chain == chain;
  };
  const auto begins = [&](std::string_view prefix) { return chain.starts_with(prefix); };
  return std::ranges::any_of(kChains, known) ||
         (table == "nat" && std::ranges::any_of(kPrefixes, begins));
}

NftTransaction plan_iptables_removal(IpFamily family, std::string_view table,
                                     const std::vector<NftChainJumps>& chains) {
  const Names removable = removable_chains(table, chains);
  NftTransaction removal{.family = family, .table = std::string(table), .operations = {}};
  for (const NftChainJumps& chain : chains) {
    if (!contains(kBuiltIn, chain.chain)) continue;
    for (const NftChainJumps::Jump& jump : chain.jumps) {
      if (removable.contains(jump.target))
        removal.operations.emplace_back(NftDeleteRule{chain.chain, jump.handle});
    }
  }
  for (const std::string& chain : removable) removal.operations.emplace_back(NftFlushChain{chain});
  for (const std::string& chain : removable) removal.operations.emplace_back(NftDeleteChain{chain});
  return removal;
}

}  // namespace proxima::proxy
