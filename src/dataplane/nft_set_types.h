// SPDX-License-Identifier: Apache-2.0
// How the parts of keys and data are told to a kernel, and to `nft`, which keeps what it needs for
// printing in bytes that a kernel only stores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dataplane/nft_model.h"

namespace proxima::dataplane {

// NFT_SET_…: what kind of set a kernel should make.
std::uint32_t set_flags(const NftSet& set);

// Without what fills it up to registers: 1 for a protocol, 2 for a port.
std::uint32_t field_length(NftType type, IpFamily family);

// The number of the type of `nft`, six bits a part; a kernel only stores it.
std::uint32_t type_number(const std::vector<NftType>& parts, IpFamily family);
// The parts of such a number. Empty when one of them is not ours.
std::vector<NftType> types_of(std::uint32_t number, IpFamily family);

// What `nft` needs to print the set: byte orders and, where a part has no type of its own ("a
// random number"), from which expressions keys and data come.
std::string set_userdata(const NftSet& set, IpFamily family);

}  // namespace proxima::dataplane
