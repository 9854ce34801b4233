// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "proxy/nft_adoption.h"
#include "proxy/nft_chains.h"

namespace proxima::proxy {
namespace {

using namespace dataplane;

// Elements of a map of data by their key.
using Numbers = std::unordered_map<std::string_view, std::string_view>;

Numbers numbers_in(const NftTableContent& content, std::string_view name) {
  Numbers numbers;
  const NftSetContent* set = find_set(content, name);
  if (set == nullptr) return numbers;
  numbers.reserve(set->elements.size());
  for (const NftElement& element : set->elements) {
    const auto* data = std::get_if<NftBytes>(&element.value);
    if (data != nullptr && data->size() >= sizeof(std::uint32_t))
      numbers.emplace(element.key, *data);
  }
  return numbers;
}

class Recall {
 public:
  Recall(const NftTableContent& content, const RouteTable& table)
      : table_(table),
        slots_(numbers_in(content, nft_set::kSlots)),
        sticky_slots_(numbers_in(content, nft_set::kStickySlots)),
        backends_(numbers_in(content, nft_set::kBackends)) {
    for (std::size_t source = 0; source < kSources; ++source) {
      from_[source] = numbers_in(content, nft_set::kFrom[source]);
      node_ports_from_[source] = numbers_in(content, nft_set::kNodePortsFrom[source]);
    }
    for (const auto& [key, data] : backends_) {
      const auto backend = backend_in(data, table.rules.family);
      if (backend && key.size() >= sizeof(std::uint32_t)) by_id_.emplace(nft_number(key), *backend);
    }
  }

  std::map<ServicePortKey, NftPort> ports() {
    const FrontendRoute* last = nullptr;
    table_.frontends.each([&](const FrontendRouteRef& route) {
      const bool in_force = last == nullptr || !(last->at == route->at);
      last = route.get();
      if (in_force) look_at(*route);
      return true;
    });
    for (auto& [key, port] : ports_) number_backends(port);
    return std::move(ports_);
  }

 private:
  void look_at(const FrontendRoute& route) {
    const NftBytes key = nft_key(route.at);
    const bool has_address = route.at.scope == Frontend::Scope::Address;
    for (std::size_t source = 0; source < kSources; ++source) {
      const Numbers& from = has_address ? from_[source] : node_ports_from_[source];
      const auto found = from.find(key);
      if (found != from.end()) take(route.port, unpacked(nft_number(found->second)));
    }
  }

  // The first who comes has the number.
  void take(const ServicePortKey& key, const PoolValue& value) {
    if (value.port_id == 0 || slots_of(value.size_code) == 0) return;
    const auto owner = owners_.try_emplace(value.port_id, key).first;
    if (!(owner->second == key)) return;
    const auto [at, added] = ports_.try_emplace(key);
    NftPort& port = at->second;
    if (added) port.id = value.port_id;
    if (port.id != value.port_id) return;
    NftPool& pool = value.local ? port.local : port.cluster;
    if (pool.assignment.slots.empty()) pool.assignment = slots_in(value);
  }

  // What is missing or broken belongs to nobody, and so finds a holder again.
  SlotAssignment slots_in(PoolValue value) const {
    value.masquerade = false;
    SlotAssignment assignment;
    for (std::uint32_t slot = 0; slot < slots_of(value.size_code); ++slot) {
      const NftBytes key = nft_slot_key(packed(value), slot);
      assignment.slots.push_back(value.sticky ? sticky_holder(key) : backend_at(slots_, key));
    }
    return assignment;
  }

  BackendAddress sticky_holder(const NftBytes& key) const {
    const auto found = sticky_slots_.find(key);
    if (found == sticky_slots_.end()) return {};
    return backend_at(backends_, found->second.substr(0, sizeof(std::uint32_t)));
  }

  BackendAddress backend_at(const Numbers& numbers, std::string_view key) const {
    const auto found = numbers.find(key);
    if (found == numbers.end()) return {};
    return backend_in(found->second, table_.rules.family).value_or(BackendAddress{});
  }

  void number_backends(NftPort& port) const {
    for (const bool of_local : {false, true}) {
      const std::uint32_t first = backend_id({.port_id = port.id, .local = of_local}, 0);
      NftOrdinals& ordinals = (of_local ? port.local : port.cluster).ordinals;
      for (auto at = by_id_.lower_bound(first); at != by_id_.end(); ++at) {
        if (at->first - first >= kOrdinals) break;
        ordinals.of.emplace_back(at->second, at->first - first);
        ordinals.next = at->first - first + 1;
      }
      std::sort(ordinals.of.begin(), ordinals.of.end());
      const auto end = std::unique(ordinals.of.begin(), ordinals.of.end(),
                                   [](const auto& a, const auto& b) { return a.first == b.first; });
      ordinals.of.erase(end, ordinals.of.end());
    }
  }

  const RouteTable& table_;
  Numbers from_[kSources];
  Numbers node_ports_from_[kSources];
  Numbers slots_;
  Numbers sticky_slots_;
  Numbers backends_;
  std::map<std::uint32_t, BackendAddress> by_id_;
  std::map<std::uint32_t, ServicePortKey> owners_;
  std::map<ServicePortKey, NftPort> ports_;
};

// Of a chain called PREFIX-NUMBER. 0: of none.
std::uint32_t number_behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  return problem == std::errc() && end == name.data() + name.size() ? number : 0;
}

NftChainNumbers chain_numbers(const NftTableContent& content, IpFamily family) {
  NftChainNumbers numbers;
  for (const NftChain& chain : content.chains) {
    const std::uint32_t slots = number_behind(chain.name, "pick-");
    const std::uint32_t sticky_slots = number_behind(chain.name, "sticky-pick-");
    if (size_code_of(slots) != 0 && chain == nft_pick_chain(family, slots))
      numbers.sizes.insert(slots);
    if (size_code_of(sticky_slots) != 0 && chain == nft_sticky_pick_chain(family, sticky_slots))
      numbers.sticky_sizes.insert(sticky_slots);
  }
  return numbers;
}

}  // namespace

NftMemory recall(const NftTableContent& content, const RouteTable& table) {
  std::uint32_t highest = 0;
  for (const NftSetContent& set : content.sets)
    highest = std::max(highest, port_of_client_map(set.set.name));
  return {.ports = Recall(content, table).ports(),
          .numbers = chain_numbers(content, table.rules.family),
          .highest_client_map = highest};
}

}  // namespace proxima::proxy
