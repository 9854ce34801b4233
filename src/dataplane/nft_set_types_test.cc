// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_set_types.h"

#include <gtest/gtest.h>

namespace proxima::dataplane {
namespace {

using enum NftType;

struct TypeRow {
  std::vector<NftType> parts;
  std::uint32_t v4;
  std::uint32_t v6;
};

// As the program nft numbers its types.
const TypeRow kTypes[] = {
    {{Address}, 7, 8},
    {{Priority}, 0x17, 0x17},
    {{Protocol, Port}, 0x30d, 0x30d},
    {{Address, Port}, 0x1cd, 0x20d},
    {{Address, Protocol, Port}, 0x730d, 0x830d},
    {{Address, Protocol, Port, Address}, 0x1cc347, 0x20c348},
    {{Priority, Random}, 0x5c4, 0x5c4},
    {{Address, Priority}, 0x1d7, 0x217},
};

TEST(NftSetTypes, PartsAreNumberedAsNftDoes) {
  for (const TypeRow& row : kTypes) {
    EXPECT_EQ(type_number(row.parts, IpFamily::V4), row.v4);
    EXPECT_EQ(type_number(row.parts, IpFamily::V6), row.v6);
    EXPECT_EQ(types_of(row.v4, IpFamily::V4), row.parts);
    EXPECT_EQ(types_of(row.v6, IpFamily::V6), row.parts);
  }
}

TEST(NftSetTypes, ATypeThatIsNotOursHasNoParts) {
  EXPECT_TRUE(types_of(9, IpFamily::V4).empty());              // a link-layer address
  EXPECT_TRUE(types_of(8, IpFamily::V4).empty());              // an address of the other family
  EXPECT_TRUE(types_of(7U << 6U | 9U, IpFamily::V4).empty());  // one of them with one of ours
  EXPECT_TRUE(types_of(0, IpFamily::V4).empty());
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

// Recorded from nft 1.0.6 for a set that was declared with the same expressions.
TEST(NftSetTypes, WhatNftNeedsForPrintingIsWhatNftStores) {
  const NftSet slots{.name = "slots",
                     .key = {Priority, Random},
                     .holds = NftSet::Holds::Data,
                     .data = {Address, Port}};
  const std::string key =
      "000400000000010400000000033400040d000000012c000e0004090000000106000402000000011a000417000000"
      "0112000401000000010400100000020400000000";
  EXPECT_EQ(hex(set_userdata(slots, IpFamily::V4)),
            key +
                "043400040d000000012c0014000407000000010c00040c00000001040c00000001140004070000000"
                "10c00040b000000010402000000");
  EXPECT_EQ(hex(set_userdata(slots, IpFamily::V6)),
            key +
                "043400040d000000012c0014000407000000010c00040d0000000104090000000114000407000000"
                "010c00040b000000010402000000");
  const NftSet backends{
      .name = "b", .key = {Priority}, .holds = NftSet::Holds::Data, .data = {Priority}};
  EXPECT_EQ(hex(set_userdata(backends, IpFamily::V4)), "000401000000010401000000");
  const NftSet addresses{.name = "a", .key = {Address}};
  EXPECT_EQ(hex(set_userdata(addresses, IpFamily::V4)), "000402000000");
}

}  // namespace
}  // namespace proxima::dataplane
