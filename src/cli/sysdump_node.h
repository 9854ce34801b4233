// SPDX-License-Identifier: Apache-2.0
// The part of a sysdump that this machine tells, where it is a node.
#pragma once

#include <string>
#include <string_view>

#include "base/ip_address.h"
#include "dataplane/nft_table.h"
#include "sysdump/sysdump_archive.h"

namespace proxima::cli {

// The kernel's version, and what Proxima's tables of nftables hold. Nothing where no node proxy
// answers and no table of ours can be seen.
void collect_node(bool has_node_proxy, sysdump::SysdumpArchive& archive);

// Names of chains with the number of their rules, and of sets with that of their elements. Pure.
std::string nft_table_sizes(IpFamily family, std::string_view table,
                            const dataplane::NftTableContent& content);

}  // namespace proxima::cli
