// SPDX-License-Identifier: Apache-2.0
// How routes lie in an nftables table: the names of its sets, what their elements are keyed by, and
// the one number that rules hand to each other. Decision record 40 says why it is so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/limits.h"
#include "dataplane/nft_model.h"
#include "proxy/route_table.h"

namespace proxima::proxy {

// Another one means: what is there was made by rules that differ, and is replaced as a whole.
inline constexpr std::uint32_t kNftLayoutVersion = 4;

struct NftOptions {
  std::string table = "proxima";
  std::uint32_t masquerade_mark = 1U << 14;
  // Service ports have a number below this one.
  std::uint32_t port_ids = 1U << 19;
  // Of clients that are remembered for session affinity, for each list of a port.
  std::uint32_t affinity_clients =
      static_cast<std::uint32_t>(model::limit_of(model::Bounded::AffinityClients).most_count());
  // The same for Services with many ports.
  std::uint32_t affinity_clients_of_many = static_cast<std::uint32_t>(
      model::limit_of(model::Bounded::AffinityClientsOfMany).most_count());
};

// ---- Sets ----

namespace nft_set {
inline constexpr std::string_view kFrom[kSources] = {"from-pod", "from-node", "from-outside"};
inline constexpr std::string_view kNodePortsFrom[kSources] = {
    "node-ports-from-pod", "node-ports-from-node", "node-ports-from-outside"};
inline constexpr std::string_view kSlots = "slots";
inline constexpr std::string_view kStickySlots = "sticky-slots";
inline constexpr std::string_view kBackends = "backends";
inline constexpr std::string_view kSizes = "sizes";
inline constexpr std::string_view kStickySizes = "sticky-sizes";
inline constexpr std::string_view kRecallClients = "recall-clients";
inline constexpr std::string_view kLearnClients = "learn-clients";
inline constexpr std::string_view kRefused = "refused";
inline constexpr std::string_view kRefusedNodePorts = "refused-node-ports";
inline constexpr std::string_view kAllowedSources = "allowed-sources";
inline constexpr std::string_view kClusterIps = "cluster-ips";
inline constexpr std::string_view kNodePortIps = "node-port-ips";
inline constexpr std::string_view kHairpin = "hairpin";
}  // namespace nft_set

// All that do not depend on Services, by name. Those of session affinity are in nft_affinity.h.
std::vector<dataplane::NftSet> nft_sets();

// ---- The number that rules hand on in a packet's priority ----

// Which backends a packet may go to, and how one of them is picked.
struct PoolValue {
  std::uint32_t port_id = 0;
  bool local = false;           // those on this node
  bool sticky = false;          // a client keeps its backend
  bool masquerade = false;      // not part of what slots are keyed by
  std::uint16_t size_code = 0;  // of the number of slots, see size_code_of(); 0: there are none
  friend bool operator==(const PoolValue&, const PoolValue&) = default;
};
inline constexpr std::uint32_t kPortShift = 13;
inline constexpr std::uint32_t kLocalBit = 1U << 12;
inline constexpr std::uint32_t kStickyBit = 1U << 11;
inline constexpr std::uint32_t kMasqueradeBit = 1U << 10;
inline constexpr std::uint32_t kSizeMask = 0x3ff;
// What says how to pick, besides the list.
inline constexpr std::uint32_t kPickMask = kStickyBit | kMasqueradeBit | kSizeMask;
inline constexpr std::uint32_t kPortMask = ~((1U << kPortShift) - 1);
// Clients are remembered for each of the two lists of a port: one that went to another node must
// not be sent there where traffic has to stay on this one.
inline constexpr std::uint32_t kPoolMask = kPortMask | kLocalBit;
// Of a sticky list; more backends than that are not all used.
inline constexpr std::uint32_t kOrdinals = 1U << 12;

// What "refused" says of an address: two bits a class of sources, and whether sources are filtered.
inline constexpr std::uint32_t kRefusalMask = 3;
inline constexpr std::uint32_t kRejectBit = 1;
inline constexpr std::uint32_t kDropBit = 2;
inline constexpr std::uint32_t kFirewallBit = 1U << 2 * kSources;

std::uint32_t packed(const PoolValue& value);
PoolValue unpacked(std::uint32_t value);
// Of a number that is one of the usual sizes; 0 for any other.
std::uint16_t size_code_of(std::size_t slots);
// The opposite; 0 for a code that is none.
std::uint32_t slots_of(std::uint16_t size_code);
// Of one backend of a sticky list.
inline std::uint32_t backend_id(const PoolValue& pool, std::uint32_t ordinal) {
  return pool.port_id << kPortShift | (pool.local ? kLocalBit : 0) | ordinal;
}

// ---- Bytes ----

dataplane::NftBytes nft_number(std::uint32_t value);
std::uint32_t nft_number(std::string_view bytes);  // of the first four
dataplane::NftBytes nft_bytes(const IpAddress& address);
dataplane::NftBytes nft_bytes(const BackendAddress& backend);
// None when they are not an address and a port.
std::optional<BackendAddress> backend_in(std::string_view bytes, IpFamily family);
std::uint8_t protocol_number(kube::Protocol protocol);
// Protocol and port; of a service address with that in front.
dataplane::NftBytes nft_key(const Frontend& at);
dataplane::NftBytes nft_slot_key(std::uint32_t pool, std::uint32_t slot);
// From a backend on this node to itself.
dataplane::NftBytes nft_hairpin_key(const BackendAddress& backend, kube::Protocol protocol);

}  // namespace proxima::proxy
