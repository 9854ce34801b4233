// SPDX-License-Identifier: Apache-2.0
// What a rule does and what a map says, as attributes of netlink. Pure.
#pragma once

#include "dataplane/netlink_writer.h"
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

// `nft` refuses longer comments, and so do we: the rest is cut off.
inline constexpr std::size_t kMaxComment = 127;

// Behind the rule's table and chain. `rule` has no NftUnknown: those are only read.
void encode_rule(NetlinkWriter& out, IpFamily family, const NftRule& rule);

// In an attribute `type`, as every value and verdict is wrapped.
void encode_value(NetlinkWriter& out, std::uint16_t type, std::string_view value);
void encode_verdict(NetlinkWriter& out, std::uint16_t type, const NftVerdict& verdict);

}  // namespace proxima::dataplane
