// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_table_reader.h"

#include <linux/netfilter/nf_tables.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_decode.h"
#include "dataplane/nft_decode_rule.h"
#include "dataplane/nft_numbers.h"

namespace proxima::dataplane {
namespace {

template <class T>
std::vector<T> values_of(std::map<std::string, T> by_name) {
  std::vector<T> values;
  values.reserve(by_name.size());
  for (auto& [name, value] : by_name) values.push_back(std::move(value));
  return values;
}

constexpr int kListAttempts = 16;
static_assert(NFTA_CHAIN_TABLE == 1 && NFTA_RULE_TABLE == 1 && NFTA_SET_TABLE == 1);

}  // namespace

// A list that is interrupted may lack an entry: kernels go on by counting. They are short.
Status NftTableReader::read_list(std::uint16_t message, const NftAnswer& answer,
                                 const std::function<void()>& forget) {
  const auto of_ours = [&](std::string_view attributes) {
    // Kernels tell the chains of every table; the name has the same number everywhere.
    if (find_text(attributes, NFTA_CHAIN_TABLE) == table_) answer(attributes);
  };
  for (int attempt = 0; attempt < kListAttempts; ++attempt) {
    forget();
    PROXIMA_TRY(
        const NftWholeness read,
        ask_kernel(socket_, {.message = message, .family = family_number(family_), .table = table_},
                   of_ours),
        "list");
    if (read == NftWholeness::Whole) return Unit{};
  }
  return Error{ErrorCode::Retry, "list: it changes faster than it can be read"};
}

Result<std::vector<NftChain>> NftTableReader::chains() {
  std::map<std::string, NftChain> chains;
  std::map<std::string, std::vector<NftRule>> rules;
  const auto add_chain = [&](std::string_view attributes) {
    NftChain chain = decode_chain(attributes);
    std::string name = chain.name;
    chains.insert_or_assign(std::move(name), std::move(chain));
  };
  const auto add_rule = [&](std::string_view attributes) {
    rules[std::string(find_text(attributes, NFTA_RULE_CHAIN))].push_back(
        decode_rule(attributes, family_));
  };
  PROXIMA_TRY(Unit listed, read_list(NFT_MSG_GETCHAIN, add_chain, [&] { chains.clear(); }),
              "chains");
  PROXIMA_TRY(listed, read_list(NFT_MSG_GETRULE, add_rule, [&] { rules.clear(); }), "rules");
  static_cast<void>(listed);
  for (auto& [name, chain] : chains) {
    std::ranges::move(rules[name], std::back_inserter(chain.rules));
  }
  return values_of(std::move(chains));
}

Result<std::vector<NftChainJumps>> NftTableReader::jumps() {
  std::map<std::string, NftChainJumps> chains;
  std::map<std::string, std::vector<NftChainJumps::Jump>> jumps;
  const auto add_chain = [&](std::string_view attributes) {
    const std::string name(find_text(attributes, NFTA_CHAIN_NAME));
    chains[name].chain = name;
  };
  const auto add_rule = [&](std::string_view attributes) {
    const std::uint64_t handle = find_u64(attributes, NFTA_RULE_HANDLE).value_or(0);
    for (NftExpression& step : decode_rule(attributes, family_).steps) {
      auto* verdict = std::get_if<NftVerdict>(&step);
      if (verdict == nullptr || verdict->chain.empty()) continue;
      jumps[std::string(find_text(attributes, NFTA_RULE_CHAIN))].push_back(
          {handle, std::move(verdict->chain)});
    }
  };
  PROXIMA_TRY(Unit listed, read_list(NFT_MSG_GETCHAIN, add_chain, [&] { chains.clear(); }),
              "chains");
  PROXIMA_TRY(listed, read_list(NFT_MSG_GETRULE, add_rule, [&] { jumps.clear(); }), "rules");
  static_cast<void>(listed);
  for (auto& [name, chain] : chains) chain.jumps = std::move(jumps[name]);
  return values_of(std::move(chains));
}

Result<std::vector<NftSetContent>> NftTableReader::sets() {
  std::map<std::string, NftSetContent> by_name;
  const auto add_set = [&](std::string_view attributes) {
    if (is_anonymous_set(attributes)) return;
    NftSet set = decode_set(attributes, family_);
    std::string name = set.name;
    by_name.insert_or_assign(std::move(name), NftSetContent{.set = std::move(set)});
  };
  PROXIMA_TRY(const Unit listed, read_list(NFT_MSG_GETSET, add_set, [&] { by_name.clear(); }),
              "sets");
  static_cast<void>(listed);
  std::vector<NftSetContent> sets = values_of(std::move(by_name));
  for (NftSetContent& set : sets) {
    if (set.set.learns) continue;
    PROXIMA_TRY(const Unit read, read_elements(set), "elements of " + set.set.name);
    static_cast<void>(read);
  }
  return sets;
}

Status NftTableReader::read_elements(NftSetContent& set) {
  const auto read =
      ask_kernel(socket_,
                 {.message = NFT_MSG_GETSETELEM,
                  .family = family_number(family_),
                  .table = table_,
                  .name = set.set.name},
                 [&](std::string_view attributes) { decode_elements(attributes, set.elements); });
  if (!read) return read.error();
  interrupted_ = interrupted_ || *read == NftWholeness::Interrupted;
  std::ranges::sort(set.elements, {}, &NftElement::key);
  return Unit{};
}

}  // namespace proxima::dataplane
