// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_layout.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "proxy/slot_assignment.h"

namespace proxima::proxy {
namespace {

using dataplane::NftBytes;
using dataplane::NftSet;
using dataplane::NftType;

const std::vector<NftType> kServiceKey = {NftType::Address, NftType::Protocol, NftType::Port};
const std::vector<NftType> kNodePortKey = {NftType::Protocol, NftType::Port};
const std::vector<NftType> kBackend = {NftType::Address, NftType::Port};
const std::vector<NftType> kNumber = {NftType::Priority};
const std::vector<NftType> kSlotKey = {NftType::Priority, NftType::Random};

NftSet keys(std::string_view name, std::vector<NftType> key) {
  return {.name = std::string(name), .key = std::move(key), .data = {}};
}
NftSet map(std::string_view name, std::vector<NftType> key, std::vector<NftType> data) {
  return {.name = std::string(name),
          .key = std::move(key),
          .holds = NftSet::Holds::Data,
          .data = std::move(data)};
}
NftSet verdicts(std::string_view name) {
  return {.name = std::string(name), .key = kNumber, .holds = NftSet::Holds::Verdicts, .data = {}};
}

NftSet allowed_sources() {
  NftSet set = keys(nft_set::kAllowedSources, kServiceKey);
  set.key.push_back(NftType::Address);
  set.intervals = true;
  return set;
}

NftBytes filled(NftBytes bytes) {
  bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
  return bytes;
}

NftBytes port_bytes(std::uint16_t port) {
  return filled({static_cast<char>(port >> 8), static_cast<char>(port & 0xff)});
}

NftBytes protocol_bytes(kube::Protocol protocol) {
  return filled({static_cast<char>(protocol_number(protocol))});
}

}  // namespace

std::vector<NftSet> nft_sets() {
  std::vector<NftSet> sets;
  for (const std::string_view name : nft_set::kFrom)
    sets.push_back(map(name, kServiceKey, kNumber));
  for (const std::string_view name : nft_set::kNodePortsFrom)
    sets.push_back(map(name, kNodePortKey, kNumber));
  sets.push_back(map(nft_set::kSlots, kSlotKey, kBackend));
  sets.push_back(map(nft_set::kStickySlots, kSlotKey, kNumber));
  sets.push_back(map(nft_set::kBackends, kNumber, kBackend));
  sets.push_back(map(nft_set::kRefused, kServiceKey, kNumber));
  sets.push_back(map(nft_set::kRefusedNodePorts, kNodePortKey, kNumber));
  for (const std::string_view name :
       {nft_set::kSizes, nft_set::kStickySizes, nft_set::kRecallClients, nft_set::kLearnClients})
    sets.push_back(verdicts(name));
  sets.push_back(keys(nft_set::kClusterIps, {NftType::Address}));
  sets.push_back(keys(nft_set::kNodePortIps, {NftType::Address}));
  sets.push_back(keys(nft_set::kHairpin,
                      {NftType::Address, NftType::Protocol, NftType::Port, NftType::Address}));
  sets.push_back(allowed_sources());
  std::sort(sets.begin(), sets.end(),
            [](const NftSet& a, const NftSet& b) { return a.name < b.name; });
  return sets;
}

std::uint32_t packed(const PoolValue& value) {
  return value.port_id << kPortShift | (value.local ? kLocalBit : 0) |
         (value.sticky ? kStickyBit : 0) | (value.masquerade ? kMasqueradeBit : 0) |
         value.size_code;
}

PoolValue unpacked(std::uint32_t value) {
  return {.port_id = value >> kPortShift,
          .local = (value & kLocalBit) != 0,
          .sticky = (value & kStickyBit) != 0,
          .masquerade = (value & kMasqueradeBit) != 0,
          .size_code = static_cast<std::uint16_t>(value & kSizeMask)};
}

std::uint16_t size_code_of(std::size_t slots) {
  const SlotSizes& sizes = usual_slot_sizes();
  PROXIMA_CHECK(sizes.size() <= kSizeMask);
  const auto at = std::lower_bound(sizes.begin(), sizes.end(), slots);
  if (at == sizes.end() || *at != slots) return 0;
  return static_cast<std::uint16_t>(at - sizes.begin() + 1);
}

std::uint32_t slots_of(std::uint16_t size_code) {
  const SlotSizes& sizes = usual_slot_sizes();
  return size_code == 0 || size_code > sizes.size() ? 0 : sizes[size_code - 1];
}

NftBytes nft_number(std::uint32_t value) {
  NftBytes bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::uint32_t nft_number(std::string_view bytes) {
  std::uint32_t value = 0;
  PROXIMA_CHECK(bytes.size() >= sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

NftBytes nft_bytes(const IpAddress& address) {
  const std::size_t size = address.family() == IpFamily::V4 ? 4 : 16;
  return {reinterpret_cast<const char*>(address.bytes().data()), size};
}

NftBytes nft_bytes(const BackendAddress& backend) {
  return nft_bytes(backend.address) + port_bytes(backend.port);
}

std::optional<BackendAddress> backend_in(std::string_view bytes, IpFamily family) {
  const std::size_t size = family == IpFamily::V4 ? 4 : 16;
  if (bytes.size() < size + 2) return std::nullopt;
  std::array<std::uint8_t, 16> address{};
  std::memcpy(address.data(), bytes.data(), size);
  const auto high = static_cast<std::uint8_t>(bytes[size]);
  const auto low = static_cast<std::uint8_t>(bytes[size + 1]);
  return BackendAddress{.address = IpAddress::from_bytes(family, address),
                        .port = static_cast<std::uint16_t>(high << 8 | low)};
}

std::uint8_t protocol_number(kube::Protocol protocol) {
  switch (protocol) {
    case kube::Protocol::Tcp:
      return 6;
    case kube::Protocol::Udp:
      return 17;
    case kube::Protocol::Sctp:
      return 132;
  }
  return 0;
}

NftBytes nft_key(const Frontend& at) {
  const bool has_address = at.scope == Frontend::Scope::Address;
  return (has_address ? nft_bytes(at.address) : NftBytes()) + protocol_bytes(at.protocol) +
         port_bytes(at.port);
}

NftBytes nft_slot_key(std::uint32_t pool, std::uint32_t slot) {
  return nft_number(pool) + nft_number(slot);
}

NftBytes nft_hairpin_key(const BackendAddress& backend, kube::Protocol protocol) {
  return nft_bytes(backend.address) + protocol_bytes(protocol) + port_bytes(backend.port) +
         nft_bytes(backend.address);
}

}  // namespace proxima::proxy
