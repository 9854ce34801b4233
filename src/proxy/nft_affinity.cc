// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_affinity.h"

#include <charconv>

#include "proxy/nft_rule_writer.h"

namespace proxima::proxy {
namespace {

using dataplane::NftElement;
using dataplane::NftSet;
using dataplane::NftType;
using dataplane::NftVerdict;

constexpr std::string_view kMapPrefix = "affinity-";
constexpr std::string_view kRecallPrefix = "recall-";
constexpr std::string_view kLearnPrefix = "learn-";
constexpr std::string_view kOfLocal = "-local";
constexpr std::string_view kOfFewer = "-fewer";

// "affinity-7", and "affinity-7-local" for the endpoints on this node; "affinity-7-fewer" and
// "affinity-7-local-fewer" where fewer clients are remembered.
std::string name_for_list(std::string_view prefix, const StickyList& list) {
  std::string name(prefix);
  name += std::to_string(list.value.port_id);
  if (list.value.local) name += kOfLocal;
  if (list.fewer_clients) name += kOfFewer;
  return name;
}

NftElement way_to(std::string_view prefix, const StickyList& list) {
  return {
      .key = nft_number(backend_id(list.value, 0)),
      .key_end = {},
      .value = NftVerdict{.kind = NftVerdict::Kind::Jump, .chain = name_for_list(prefix, list)}};
}

}  // namespace

NftSet nft_client_map(std::string_view name, const NftOptions& options) {
  return {.name = std::string(name),
          .key = {NftType::Address},
          .holds = NftSet::Holds::Data,
          .data = {NftType::Priority},
          .learns = true,
          .size_limit = name.ends_with(kOfFewer) ? options.affinity_clients_of_many
                                                 : options.affinity_clients};
}

NftAffinity nft_affinity(const NftAffinityInput& input) {
  const auto when = [&] { return NftRuleWriter(input.family); };
  const std::string map = name_for_list(kMapPrefix, input.list);
  // Refreshed with every connection. When the map is full, a client that is not in it is not
  // remembered; the packet goes on behind the chain that called this one.
  return {.clients = nft_client_map(map, input.options),
          .recall = {.name = name_for_list(kRecallPrefix, input.list),
                     .hook = {},
                     .rules = {when()
                                   .priority_of_client(map)
                                   .learn_client(map, input.timeout)
                                   .go("stuck")
                                   .rule()}},
          // A client whose backend has left is still in the map, and would keep that backend.
          .learn = {.name = name_for_list(kLearnPrefix, input.list),
                    .hook = {},
                    .rules = {when().forget_client(map).rule(),
                              when().learn_client(map, input.timeout).rule()}}};
}

NftElement nft_recall_element(const StickyList& list) { return way_to(kRecallPrefix, list); }
NftElement nft_learn_element(const StickyList& list) { return way_to(kLearnPrefix, list); }

std::uint32_t port_of_client_map(std::string_view name) {
  if (!name.starts_with(kMapPrefix)) return 0;
  name.remove_prefix(kMapPrefix.size());
  if (name.ends_with(kOfFewer)) name.remove_suffix(kOfFewer.size());
  if (name.ends_with(kOfLocal)) name.remove_suffix(kOfLocal.size());
  std::uint32_t port = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), port);
  return problem == std::errc() && end == name.data() + name.size() ? port : 0;
}

}  // namespace proxima::proxy
