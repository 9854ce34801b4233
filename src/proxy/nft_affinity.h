// SPDX-License-Identifier: Apache-2.0
// Session affinity in the nftables table: each list of a sticky port has a map of its clients and
// two chains that use it. No map is shared, so clients of one Service that fill theirs take no
// place from those of another. Decision record 73 says why it is so.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "dataplane/nft_model.h"
#include "proxy/nft_layout.h"

namespace proxima::proxy {

// What the table holds for one list besides elements.
struct NftAffinity {
  dataplane::NftSet clients;   // by address, with the number of their backend
  dataplane::NftChain recall;  // goes on in "stuck" with the backend of a client that is known
  dataplane::NftChain learn;   // remembers the client with the backend that was drawn
};

// A list of a port. No kernel gives a map another size, so a list that shall remember fewer
// clients, or more again, has other names for all that it needs.
struct StickyList {
  PoolValue value;
  bool fewer_clients = false;  // see ServicePort::remembers_fewer_clients
};
// Whether the list needs an NftAffinity: it is sticky and has backends.
inline bool remembers_clients(const StickyList& list) {
  return list.value.sticky && list.value.size_code != 0;
}

struct NftAffinityInput {
  IpFamily family = IpFamily::V4;
  StickyList list;
  std::chrono::seconds timeout{};  // since a client's last connection
  const NftOptions& options;
};
NftAffinity nft_affinity(const NftAffinityInput& input);

// Of the maps that lead from a list to its chains.
dataplane::NftElement nft_recall_element(const StickyList& list);
dataplane::NftElement nft_learn_element(const StickyList& list);

// Whose map of clients is called so: the number of a port. 0: it is none.
std::uint32_t port_of_client_map(std::string_view name);
// As it is for the lists whose maps are called so.
dataplane::NftSet nft_client_map(std::string_view name, const NftOptions& options);

}  // namespace proxima::proxy
