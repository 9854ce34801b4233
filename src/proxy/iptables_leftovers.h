// SPDX-License-Identifier: Apache-2.0
// What kube-proxy in iptables or ipvs mode leaves in tables of iptables that nftables keeps
// (iptables-nft), and the transaction that takes it out again. Pure.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "dataplane/nft_model.h"
#include "dataplane/nft_table_reader.h"

namespace proxima::proxy {

// Where kube-proxy writes.
inline constexpr std::array<std::string_view, 3> kIptablesTables = {"nat", "filter", "mangle"};

// By the names of kube-proxy v1.36 and those that it still cleans up. Chains of kubelet have names
// that look alike and are none of them.
bool is_kube_proxy_chain(std::string_view table, std::string_view chain);

// Takes the jumps out of iptables' own chains, then empties the chains and deletes them. What a
// stranger's chain leads to stays as it is, with what that needs. Empty: nothing is kube-proxy's.
dataplane::NftTransaction plan_iptables_removal(
    IpFamily family, std::string_view table, const std::vector<dataplane::NftChainJumps>& chains);

}  // namespace proxima::proxy
