// SPDX-License-Identifier: Apache-2.0
// What a kernel's table knows of one service port: its number, who has which slot, and how the
// backends of a sticky port are numbered. Planned with what was there before, so that as little as
// possible has to be written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dataplane/nft_model.h"
#include "proxy/nft_affinity.h"
#include "proxy/nft_layout.h"
#include "proxy/route_table.h"
#include "proxy/slot_assignment.h"

namespace proxima::proxy {

// Backends by address with their number in the list. Numbers are given in turn, so that clients who
// are remembered with the number of one who left do not all go to the one who came next.
struct NftOrdinals {
  std::vector<std::pair<BackendAddress, std::uint32_t>> of;
  std::uint32_t next = 0;
};

struct NftPool {
  SlotAssignment assignment;
  NftOrdinals ordinals;  // of a sticky port
};

struct NftPort {
  std::uint32_t id = 0;
  std::uint32_t affinity_seconds = 0;  // 0: not sticky
  bool remembers_fewer_clients = false;
  NftPool cluster;
  NftPool local;

  bool sticky() const { return affinity_seconds != 0; }
  // Without a wish to masquerade. Nothing to pick: a size code of 0.
  PoolValue value(bool of_local) const;
  StickyList list(bool of_local) const {
    return {.value = value(of_local), .fewer_clients = remembers_fewer_clients};
  }
};

// Which lists of a port packets are sent to.
struct NftUse {
  bool cluster = false;
  bool local = false;
};
struct NftPortInput {
  const PortRoutes& routes;
  NftUse use;
  const NftPort* previous = nullptr;  // null when the port is new
  std::uint32_t id = 0;
};
NftPort plan_nft_port(const NftPortInput& input);

// sink(std::string_view set, dataplane::NftElement element)
template <class Sink>
void nft_port_elements(const NftPort& port, Sink sink);

dataplane::NftElement nft_slot(const NftPort& port, bool of_local, std::uint32_t slot);
dataplane::NftElement nft_backend(const NftPort& port, bool of_local, std::size_t at);
std::string_view nft_slots_set(const NftPort& port);

// Who on this node may reach itself through the port.
std::vector<dataplane::NftBytes> nft_hairpins(const PortRoutes& routes);

template <class Sink>
void nft_port_elements(const NftPort& port, Sink sink) {
  for (const bool of_local : {false, true}) {
    const NftPool& pool = of_local ? port.local : port.cluster;
    for (std::uint32_t slot = 0; slot < pool.assignment.slots.size(); ++slot)
      sink(nft_slots_set(port), nft_slot(port, of_local, slot));
    for (std::size_t at = 0; at < pool.ordinals.of.size(); ++at)
      sink(nft_set::kBackends, nft_backend(port, of_local, at));
    const StickyList list = port.list(of_local);
    if (!remembers_clients(list)) continue;
    sink(nft_set::kRecallClients, nft_recall_element(list));
    sink(nft_set::kLearnClients, nft_learn_element(list));
  }
}

}  // namespace proxima::proxy
