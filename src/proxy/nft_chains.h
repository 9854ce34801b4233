// SPDX-License-Identifier: Apache-2.0
// The chains of the nftables table. Those that are always there depend on the rules of the node
// alone and never on Services; a few more are added for numbers of slots when they are first
// needed. Those of sticky ports are in nft_affinity.h.
#pragma once

#include <vector>

#include "dataplane/nft_model.h"
#include "proxy/nft_layout.h"
#include "proxy/routing_rules.h"

namespace proxima::proxy {

// An empty chain whose name tells the layout, for those who read the table.
std::string nft_layout_chain();

// By name. Those with a hook only jump to the others.
std::vector<dataplane::NftChain> nft_fixed_chains(const RoutingRules& rules,
                                                  const NftOptions& options);

// One of `slots` slots, at random.
dataplane::NftChain nft_pick_chain(IpFamily family, std::uint32_t slots);
dataplane::NftChain nft_sticky_pick_chain(IpFamily family, std::uint32_t slots);

}  // namespace proxima::proxy
