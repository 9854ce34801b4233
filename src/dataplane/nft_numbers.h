// SPDX-License-Identifier: Apache-2.0
// The numbers that a kernel has for the model's words, as tables that are read in both directions.
#pragma once

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/check.h"
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

template <class Word>
struct NumberedWord {
  Word word;
  std::uint32_t number;
};

// clang-format off
inline constexpr std::array kMetaNumbers = {
    NumberedWord<NftMetaKey>{NftMetaKey::Protocol, NFT_META_L4PROTO},
    NumberedWord<NftMetaKey>{NftMetaKey::Mark, NFT_META_MARK},
    NumberedWord<NftMetaKey>{NftMetaKey::Priority, NFT_META_PRIORITY},
    NumberedWord<NftMetaKey>{NftMetaKey::InputName, NFT_META_IIFNAME},
};
inline constexpr std::array kCtNumbers = {
    NumberedWord<NftCtKey>{NftCtKey::State, NFT_CT_STATE},
    NumberedWord<NftCtKey>{NftCtKey::Status, NFT_CT_STATUS},
};
inline constexpr std::array kHeaderNumbers = {
    NumberedWord<NftHeader>{NftHeader::Network, NFT_PAYLOAD_NETWORK_HEADER},
    NumberedWord<NftHeader>{NftHeader::Transport, NFT_PAYLOAD_TRANSPORT_HEADER},
};
inline constexpr std::array kAddressOfNumbers = {
    NumberedWord<NftLoadAddressType::Of>{NftLoadAddressType::Of::Source, NFTA_FIB_F_SADDR},
    NumberedWord<NftLoadAddressType::Of>{NftLoadAddressType::Of::Destination, NFTA_FIB_F_DADDR},
};
inline constexpr std::array kLearnNumbers = {
    NumberedWord<NftLearn::Kind>{NftLearn::Kind::Update, NFT_DYNSET_OP_UPDATE},
    NumberedWord<NftLearn::Kind>{NftLearn::Kind::Delete, NFT_DYNSET_OP_DELETE},
};
// The enumeration has negative numbers, which travel as 32 bits all the same.
inline constexpr std::array kVerdictNumbers = {
    NumberedWord<NftVerdict::Kind>{NftVerdict::Kind::Accept, NF_ACCEPT},
    NumberedWord<NftVerdict::Kind>{NftVerdict::Kind::Drop, NF_DROP},
    NumberedWord<NftVerdict::Kind>{NftVerdict::Kind::Return, static_cast<std::uint32_t>(NFT_RETURN)},
    NumberedWord<NftVerdict::Kind>{NftVerdict::Kind::Jump, static_cast<std::uint32_t>(NFT_JUMP)},
    NumberedWord<NftVerdict::Kind>{NftVerdict::Kind::Goto, static_cast<std::uint32_t>(NFT_GOTO)},
};
inline constexpr std::array kHookNumbers = {
    NumberedWord<NftHook::Where>{NftHook::Where::Prerouting, NF_INET_PRE_ROUTING},
    NumberedWord<NftHook::Where>{NftHook::Where::Input, NF_INET_LOCAL_IN},
    NumberedWord<NftHook::Where>{NftHook::Where::Forward, NF_INET_FORWARD},
    NumberedWord<NftHook::Where>{NftHook::Where::Output, NF_INET_LOCAL_OUT},
    NumberedWord<NftHook::Where>{NftHook::Where::Postrouting, NF_INET_POST_ROUTING},
};
// clang-format on

template <class Table, class Word>
constexpr std::uint32_t number_of(const Table& table, Word word) {
  for (const auto& row : table) {
    if (row.word == word) return row.number;
  }
  PROXIMA_CHECK(false);  // a word without a row
  return 0;
}

template <class Table>
constexpr auto word_of(const Table& table, std::uint32_t number)
    -> std::optional<decltype(table[0].word)> {
  for (const auto& row : table) {
    if (row.number == number) return row.word;
  }
  return std::nullopt;
}

constexpr std::uint8_t family_number(IpFamily family) {
  return family == IpFamily::V4 ? NFPROTO_IPV4 : NFPROTO_IPV6;
}

constexpr std::uint32_t register_number(NftRegister place) { return NFT_REG32_00 + place; }
// A kernel names every fourth one by an older number.
constexpr std::optional<NftRegister> register_of(std::uint32_t number) {
  if (number >= NFT_REG_1 && number <= NFT_REG_4) {
    return static_cast<NftRegister>((number - NFT_REG_1) * 4);
  }
  if (number < NFT_REG32_00 || number > NFT_REG32_15) return std::nullopt;
  return static_cast<NftRegister>(number - NFT_REG32_00);
}

// What `reject` says by ICMP of the family: port unreachable.
constexpr std::uint8_t unreachable_code(IpFamily family) { return family == IpFamily::V4 ? 3 : 4; }

// To a port that is drawn anew: NF_NAT_RANGE_PROTO_RANDOM_FULLY.
inline constexpr std::uint32_t kFullyRandom = 1U << 4;

constexpr std::string_view chain_type_name(NftHook::Type type) {
  return type == NftHook::Type::Nat ? "nat" : "filter";
}

}  // namespace proxima::dataplane
