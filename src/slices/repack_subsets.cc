// SPDX-License-Identifier: Apache-2.0
#include "slices/repack_subsets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace proxima::slices {
namespace {

using Address = kube::EndpointsAddressRecord;
// Two Pods may share an address, on the network of their node.
using AddressKey = std::pair<std::string_view, std::string_view>;  // address, uid of the target
// nullopt stands for "no ports": such addresses are kept too.
using Port = std::optional<kube::EndpointPortRecord>;

enum class Readiness { NotReady, Ready };
struct Member {
  const Address* address = nullptr;
  Readiness readiness = Readiness::NotReady;
};
using Members = std::map<AddressKey, Member>;

struct PortLess {
  bool operator()(const Port& a, const Port& b) const {
    if (!a || !b) return !a && b;
    return port_less(*a, *b);
  }
};

AddressKey key_of(const Address& address) {
  return {address.ip.view(), address.target ? address.target->uid.view() : std::string_view()};
}

class Repacking {
 public:
  void add(const kube::EndpointsSubsetRecord& subset) {
    if (subset.ports.empty()) add(subset, std::nullopt);
    for (const auto& port : subset.ports)
      add(subset, port.port.value_or(0) > 0 ? Port(port) : std::nullopt);
  }
  std::vector<RepackedSubset> subsets() const;

 private:
  void add(const kube::EndpointsSubsetRecord& subset, const Port& port) {
    for (const Address& address : subset.ready) add(address, port, Readiness::Ready);
    for (const Address& address : subset.not_ready) add(address, port, Readiness::NotReady);
  }
  void add(const Address& address, const Port& port, Readiness readiness) {
    const AddressKey key = key_of(address);
    const Address* first = first_.try_emplace(key, &address).first->second;
    const auto [place, is_new] = by_port_[port].try_emplace(key, Member{first, readiness});
    if (!is_new && readiness == Readiness::NotReady) place->second.readiness = readiness;
  }

  std::map<AddressKey, const Address*> first_;
  std::map<Port, Members, PortLess> by_port_;
};

struct MembersLess {
  static auto rank(const Members::value_type& member) {
    return std::tie(member.first, member.second.readiness);
  }
  bool operator()(const Members* a, const Members* b) const {
    return std::lexicographical_compare(
        a->begin(), a->end(), b->begin(), b->end(),
        [](const auto& x, const auto& y) { return rank(x) < rank(y); });
  }
};

RepackedSubset with_addresses(const Members& members) {
  RepackedSubset subset;
  for (const auto& [key, member] : members)
    (member.readiness == Readiness::Ready ? subset.ready : subset.not_ready)
        .push_back(member.address);
  return subset;
}

std::vector<RepackedSubset> Repacking::subsets() const {
  std::vector<RepackedSubset> subsets;
  std::map<const Members*, std::size_t, MembersLess> places;
  for (const auto& [port, members] : by_port_) {
    const auto [place, is_new] = places.try_emplace(&members, subsets.size());
    if (is_new) subsets.push_back(with_addresses(members));
    // Ports come in their order, so each list is in order too.
    if (port) subsets[place->second].ports.push_back(*port);
  }
  return subsets;
}

}  // namespace

std::vector<RepackedSubset> repack_subsets(std::span<const kube::EndpointsSubsetRecord> subsets) {
  Repacking repacking;
  for (const auto& subset : subsets) repacking.add(subset);
  return repacking.subsets();
}

}  // namespace proxima::slices
