// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_port.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

using dataplane::NftElement;

using Numbered = std::pair<BackendAddress, std::uint32_t>;

std::uint32_t ordinal_of(const NftOrdinals& ordinals, const BackendAddress& backend) {
  const auto at = std::lower_bound(
      ordinals.of.begin(), ordinals.of.end(), backend,
      [](const Numbered& one, const BackendAddress& wanted) { return one.first < wanted; });
  PROXIMA_CHECK(at != ordinals.of.end() && at->first == backend);
  return at->second;
}

// One number for each who has a slot; those who had one keep it.
NftOrdinals number_backends(const SlotAssignment& assignment, const NftOrdinals& previous) {
  std::vector<BackendAddress> holders = assignment.slots;
  std::sort(holders.begin(), holders.end());
  holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
  PROXIMA_CHECK(holders.size() <= kOrdinals);
  NftOrdinals ordinals{.of = {}, .next = previous.next};
  std::vector<bool> taken(kOrdinals);
  for (const auto& [backend, ordinal] : previous.of) taken[ordinal] = true;
  auto known = previous.of.begin();
  std::vector<std::size_t> open;
  for (const BackendAddress& holder : holders) {
    while (known != previous.of.end() && known->first < holder) ++known;
    const bool had = known != previous.of.end() && known->first == holder;
    if (!had) open.push_back(ordinals.of.size());
    ordinals.of.emplace_back(holder, had ? known->second : 0);
  }
  // Numbers of those who left are free as well once no other is.
  if (previous.of.size() + open.size() > kOrdinals) {
    std::fill(taken.begin(), taken.end(), false);
    for (const auto& [backend, ordinal] : previous.of)
      taken[ordinal] = std::binary_search(holders.begin(), holders.end(), backend);
  }
  for (const std::size_t at : open) {
    while (taken[ordinals.next % kOrdinals]) ++ordinals.next;
    ordinals.of[at].second = ordinals.next++ % kOrdinals;
    taken[ordinals.of[at].second] = true;
  }
  ordinals.next %= kOrdinals;
  return ordinals;
}

// Of a sticky list with more backends than there are numbers, some go without a slot.
const SlotSizes& sizes_for(const Backends& backends, bool sticky) {
  static const SlotSizes numbered(
      usual_slot_sizes().begin(),
      std::upper_bound(usual_slot_sizes().begin(), usual_slot_sizes().end(), kOrdinals));
  return sticky && backends.size() > kOrdinals ? numbered : usual_slot_sizes();
}

NftPool plan_pool(const Backends& backends, const NftPool* previous, bool sticky) {
  NftPool pool;
  pool.assignment = assign_slots({.backends = backends,
                                  .previous = previous == nullptr ? nullptr : &previous->assignment,
                                  .sizes = sizes_for(backends, sticky)});
  if (sticky)
    pool.ordinals =
        number_backends(pool.assignment, previous == nullptr ? NftOrdinals{} : previous->ordinals);
  return pool;
}

}  // namespace

PoolValue NftPort::value(bool of_local) const {
  const NftPool& pool = of_local ? local : cluster;
  return {.port_id = id,
          .local = of_local,
          .sticky = sticky(),
          .size_code = size_code_of(pool.assignment.slots.size())};
}

NftPort plan_nft_port(const NftPortInput& input) {
  NftPort port{.id = input.id,
               .affinity_seconds = input.routes.port.affinity_seconds,
               .remembers_fewer_clients = input.routes.port.remembers_fewer_clients,
               .cluster = {},
               .local = {}};
  const auto pool = [&](const Backends& backends, const NftPool NftPort::*of) {
    const NftPool* previous = input.previous == nullptr ? nullptr : &(input.previous->*of);
    return plan_pool(backends, previous, port.sticky());
  };
  if (input.use.cluster) port.cluster = pool(input.routes.cluster, &NftPort::cluster);
  if (input.use.local) port.local = pool(input.routes.local, &NftPort::local);
  return port;
}

std::string_view nft_slots_set(const NftPort& port) {
  return port.sticky() ? nft_set::kStickySlots : nft_set::kSlots;
}

NftElement nft_slot(const NftPort& port, bool of_local, std::uint32_t slot) {
  const NftPool& pool = of_local ? port.local : port.cluster;
  const PoolValue value = port.value(of_local);
  const BackendAddress& holder = pool.assignment.slots[slot];
  return {.key = nft_slot_key(packed(value), slot),
          .key_end = {},
          .value = port.sticky() ? nft_number(backend_id(value, ordinal_of(pool.ordinals, holder)))
                                 : nft_bytes(holder)};
}

NftElement nft_backend(const NftPort& port, bool of_local, std::size_t at) {
  const auto& [backend, ordinal] = (of_local ? port.local : port.cluster).ordinals.of[at];
  return {.key = nft_number(backend_id(port.value(of_local), ordinal)),
          .key_end = {},
          .value = nft_bytes(backend)};
}

std::vector<dataplane::NftBytes> nft_hairpins(const PortRoutes& routes) {
  std::vector<dataplane::NftBytes> keys;
  for (const Backends* list : {&routes.cluster, &routes.local}) {
    for (const Backend& backend : *list) {
      if (backend.local) keys.push_back(nft_hairpin_key(backend.at, routes.port.key.protocol));
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace proxima::proxy
