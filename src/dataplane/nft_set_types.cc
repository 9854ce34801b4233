// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_set_types.h"

#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "base/check.h"

namespace proxima::dataplane {
namespace {

// Numbers of `nft`, which promises to keep them: what is stored in a kernel outlives a program.
constexpr std::uint32_t kInteger = 4;
constexpr std::uint32_t kIpv4Address = 7;
constexpr std::uint32_t kIpv6Address = 8;
constexpr std::uint32_t kInetProtocol = 12;
constexpr std::uint32_t kInetService = 13;
constexpr std::uint32_t kClassId = 23;

constexpr std::uint8_t kKeyByteOrder = 0;
constexpr std::uint8_t kDataByteOrder = 1;
constexpr std::uint8_t kKeyTypeof = 3;
constexpr std::uint8_t kDataTypeof = 4;

constexpr std::uint8_t kTypeofExpression = 0;
constexpr std::uint8_t kTypeofData = 1;

constexpr std::uint32_t kPayload = 7;
constexpr std::uint32_t kMeta = 9;
constexpr std::uint32_t kConcatenation = 13;
constexpr std::uint32_t kNumgen = 23;

constexpr std::uint32_t kAnyOrder = 0;
constexpr std::uint32_t kHostOrder = 1;
constexpr std::uint32_t kNetworkOrder = 2;

constexpr std::uint32_t kMetaPriority = 2;
constexpr std::uint32_t kMetaL4Protocol = 16;

constexpr std::uint32_t kTransport = 11;
constexpr std::uint32_t kIpv4 = 12;
constexpr std::uint32_t kIpv6 = 13;

constexpr std::uint32_t kIpv4Destination = 12;
constexpr std::uint32_t kIpv6Destination = 9;
constexpr std::uint32_t kTransportDestination = 2;

constexpr std::uint32_t kBitsOfPart = 6;
constexpr std::uint32_t kPartMask = (1U << kBitsOfPart) - 1;
constexpr std::uint32_t kMostSlots = 4096;  // only printed: the largest range of a random number

std::uint32_t part_number(NftType type, IpFamily family) {
  switch (type) {
    case NftType::Address:
      return family == IpFamily::V4 ? kIpv4Address : kIpv6Address;
    case NftType::Protocol:
      return kInetProtocol;
    case NftType::Port:
      return kInetService;
    case NftType::Priority:
      return kClassId;
    case NftType::Random:
      return kInteger;
  }
  PROXIMA_CHECK(false);
  return 0;
}

// Type and length in a byte each, then the value.
std::string tagged(std::uint8_t type, std::string_view value) {
  PROXIMA_CHECK(value.size() <= 255);
  std::string bytes = {static_cast<char>(type), static_cast<char>(value.size())};
  return bytes.append(value);
}

std::string tagged(std::uint8_t type, std::uint32_t value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));  // as the host has it: `nft` does so
  return tagged(type, bytes);
}

std::string expression(std::uint32_t kind, std::string_view details) {
  return tagged(kTypeofExpression, kind) + tagged(kTypeofData, details);
}

std::string header_field(std::uint32_t header, std::uint32_t field) {
  return expression(kPayload, tagged(0, header) + tagged(1, field));
}

std::string part_expression(NftType type, IpFamily family) {
  switch (type) {
    case NftType::Address:
      return family == IpFamily::V4 ? header_field(kIpv4, kIpv4Destination)
                                    : header_field(kIpv6, kIpv6Destination);
    case NftType::Protocol:
      return expression(kMeta, tagged(0, kMetaL4Protocol));
    case NftType::Port:
      return header_field(kTransport, kTransportDestination);
    case NftType::Priority:
      return expression(kMeta, tagged(0, kMetaPriority));
    case NftType::Random:  // by random, of so many, beginning with 0
      return expression(kNumgen, tagged(0, 1U) + tagged(1, kMostSlots) + tagged(2, 0U));
  }
  PROXIMA_CHECK(false);
  return {};
}

std::string typeof_expression(const std::vector<NftType>& parts, IpFamily family) {
  if (parts.size() == 1) return part_expression(parts[0], family);
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    joined += tagged(static_cast<std::uint8_t>(i), part_expression(parts[i], family));
  }
  return expression(kConcatenation, joined);
}

std::uint32_t byte_order(const std::vector<NftType>& parts) {
  if (parts.size() != 1) return kAnyOrder;
  const bool host = parts[0] == NftType::Priority || parts[0] == NftType::Random;
  return host ? kHostOrder : kNetworkOrder;
}

bool has_random(const std::vector<NftType>& parts) {
  return std::ranges::find(parts, NftType::Random) != parts.end();
}

}  // namespace

std::uint32_t set_flags(const NftSet& set) {
  std::uint32_t flags = 0;
  if (set.holds != NftSet::Holds::Keys) flags |= NFT_SET_MAP;
  if (set.intervals) flags |= NFT_SET_INTERVAL | NFT_SET_CONCAT;
  if (set.learns) flags |= NFT_SET_TIMEOUT | NFT_SET_EVAL;
  return flags;
}

std::uint32_t field_length(NftType type, IpFamily family) {
  switch (type) {
    case NftType::Protocol:
      return 1;
    case NftType::Port:
      return 2;
    default:
      return static_cast<std::uint32_t>(nft_width(type, family));
  }
}

std::uint32_t type_number(const std::vector<NftType>& parts, IpFamily family) {
  std::uint32_t number = 0;
  for (const NftType part : parts) number = number << kBitsOfPart | part_number(part, family);
  return number;
}

std::vector<NftType> types_of(std::uint32_t number, IpFamily family) {
  constexpr std::array kAll = {NftType::Address, NftType::Protocol, NftType::Port,
                               NftType::Priority, NftType::Random};
  std::vector<NftType> parts;
  for (; number != 0; number >>= kBitsOfPart) {
    const auto part = std::ranges::find_if(
        kAll, [&](NftType type) { return part_number(type, family) == (number & kPartMask); });
    if (part == kAll.end()) return {};
    parts.push_back(*part);
  }
  std::ranges::reverse(parts);
  return parts;
}

std::string set_userdata(const NftSet& set, IpFamily family) {
  std::string bytes = tagged(kKeyByteOrder, byte_order(set.key));
  const bool data = set.holds == NftSet::Holds::Data;
  if (data) bytes += tagged(kDataByteOrder, byte_order(set.data));
  if (!has_random(set.key)) return bytes;
  bytes += tagged(kKeyTypeof, typeof_expression(set.key, family));
  if (data) bytes += tagged(kDataTypeof, typeof_expression(set.data, family));
  return bytes;
}

}  // namespace proxima::dataplane
