// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_table_reader.h"

#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <map>
#include <utility>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_decode.h"
#include "dataplane/nft_decode_rule.h"
#include "dataplane/nft_numbers.h"
#include "dataplane/nft_question.h"

namespace proxima::dataplane {
namespace {

template <class T>
std::vector<T> values_of(std::map<std::string, T> by_name) {
  std::vector<T> values;
  values.reserve(by_name.size());
  for (auto& [name, value] : by_name) values.push_back(std::move(value));
  return values;
}

}  // namespace

Result<std::vector<NftChain>> NftTableReader::chains() {
  std::map<std::string, NftChain> chains;
  // Kernels tell the chains of every table.
  const Status listed =
      ask_kernel(socket_, {.message = NFT_MSG_GETCHAIN, .family = family_number(family_)},
                 [&](std::string_view attributes) {
                   if (find_text(attributes, NFTA_CHAIN_TABLE) != table_) return;
                   NftChain chain = decode_chain(attributes);
                   chains.insert_or_assign(chain.name, chain);
                 });
  if (!listed) return Error(listed.error());
  const Status ruled = ask_kernel(
      socket_, {.message = NFT_MSG_GETRULE, .family = family_number(family_), .table = table_},
      [&](std::string_view attributes) {
        if (find_text(attributes, NFTA_RULE_TABLE) != table_) return;
        const auto chain = chains.find(std::string(find_text(attributes, NFTA_RULE_CHAIN)));
        if (chain != chains.end()) chain->second.rules.push_back(decode_rule(attributes, family_));
      });
  if (!ruled) return Error(ruled.error()).in("rules");
  return values_of(std::move(chains));
}

Result<std::vector<NftSetContent>> NftTableReader::sets() {
  std::map<std::string, NftSetContent> by_name;
  const Status listed = ask_kernel(
      socket_, {.message = NFT_MSG_GETSET, .family = family_number(family_), .table = table_},
      [&](std::string_view attributes) {
        if (find_text(attributes, NFTA_SET_TABLE) != table_) return;
        if (is_anonymous_set(attributes)) return;
        NftSet set = decode_set(attributes, family_);
        std::string name = set.name;
        by_name.insert_or_assign(std::move(name), NftSetContent{.set = std::move(set)});
      });
  if (!listed) return Error(listed.error());
  std::vector<NftSetContent> sets = values_of(std::move(by_name));
  for (NftSetContent& set : sets) {
    if (set.set.learns) continue;
    PROXIMA_TRY(const Unit read, read_elements(set), set.set.name);
    static_cast<void>(read);
  }
  return sets;
}

Status NftTableReader::read_elements(NftSetContent& set) {
  Status read =
      ask_kernel(socket_,
                 {.message = NFT_MSG_GETSETELEM,
                  .family = family_number(family_),
                  .table = table_,
                  .name = set.set.name},
                 [&](std::string_view attributes) { decode_elements(attributes, set.elements); });
  std::ranges::sort(set.elements, {}, &NftElement::key);
  return read;
}

}  // namespace proxima::dataplane
