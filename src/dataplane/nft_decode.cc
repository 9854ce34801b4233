// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_decode.h"

#include <string>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_decode_rule.h"
#include "dataplane/nft_numbers.h"
#include "dataplane/nft_set_types.h"

namespace proxima::dataplane {
namespace {

std::optional<NftHook::Type> hook_type(std::string_view name) {
  for (const NftHook::Type type : {NftHook::Type::Filter, NftHook::Type::Nat}) {
    if (chain_type_name(type) == name) return type;
  }
  return std::nullopt;
}

std::optional<NftHook> decode_hook(std::string_view attributes, std::string_view type_name) {
  const auto number = find_u32(attributes, NFTA_HOOK_HOOKNUM);
  const auto priority = find_u32(attributes, NFTA_HOOK_PRIORITY);
  const auto where = number ? word_of(kHookNumbers, *number) : std::nullopt;
  const auto type = hook_type(type_name);
  if (!priority || !where || !type) return std::nullopt;
  return NftHook{.type = *type, .where = *where, .priority = static_cast<std::int32_t>(*priority)};
}

NftSet::Holds decode_holds(std::uint32_t flags, std::optional<std::uint32_t> data_type) {
  if ((flags & NFT_SET_MAP) == 0) return NftSet::Holds::Keys;
  return data_type == NFT_DATA_VERDICT ? NftSet::Holds::Verdicts : NftSet::Holds::Data;
}

NftElement decode_element(std::string_view attributes) {
  NftElement element;
  // The end of an interval, or what matches when nothing else does.
  if (find_u32(attributes, NFTA_SET_ELEM_FLAGS).value_or(0) != 0) return element;
  const auto key = find_bytes(attributes, NFTA_SET_ELEM_KEY);
  if (key) element.key = decode_value(*key).value_or(NftBytes());
  if (const auto end = find_bytes(attributes, NFTA_SET_ELEM_KEY_END)) {
    element.key_end = decode_value(*end);
  }
  const auto data = find_bytes(attributes, NFTA_SET_ELEM_DATA);
  if (!data) return element;
  if (auto value = decode_value(*data)) {
    element.value = *std::move(value);
  } else if (auto verdict = decode_verdict(*data)) {
    element.value = *std::move(verdict);
  }
  return element;
}

}  // namespace

NftChain decode_chain(std::string_view attributes) {
  NftChain chain{.name = std::string(find_text(attributes, NFTA_CHAIN_NAME))};
  const auto hook = find_bytes(attributes, NFTA_CHAIN_HOOK);
  if (!hook) return chain;
  chain.hook = decode_hook(*hook, find_text(attributes, NFTA_CHAIN_TYPE));
  if (!chain.hook) chain.rules.push_back({.steps = {NftUnknown{.name = "hook"}}});
  if (find_u32(attributes, NFTA_CHAIN_POLICY).value_or(NF_ACCEPT) != NF_ACCEPT) {
    chain.rules.push_back({.steps = {NftUnknown{.name = "policy"}}});
  }
  return chain;
}

NftSet decode_set(std::string_view attributes, IpFamily family) {
  const std::uint32_t flags = find_u32(attributes, NFTA_SET_FLAGS).value_or(0);
  const auto data_type = find_u32(attributes, NFTA_SET_DATA_TYPE);
  NftSet set{.name = std::string(find_text(attributes, NFTA_SET_NAME))};
  set.key = types_of(find_u32(attributes, NFTA_SET_KEY_TYPE).value_or(0), family);
  set.holds = decode_holds(flags, data_type);
  if (set.holds == NftSet::Holds::Data) set.data = types_of(data_type.value_or(0), family);
  set.intervals = (flags & NFT_SET_INTERVAL) != 0;
  set.learns = (flags & NFT_SET_EVAL) != 0;
  const std::string_view description = find_bytes(attributes, NFTA_SET_DESC).value_or("");
  set.size_limit = find_u32(description, NFTA_SET_DESC_SIZE).value_or(0);
  if (set_flags(set) != flags) set.key.clear();
  return set;
}

bool is_anonymous_set(std::string_view attributes) {
  return (find_u32(attributes, NFTA_SET_FLAGS).value_or(0) & NFT_SET_ANONYMOUS) != 0;
}

void decode_elements(std::string_view attributes, std::vector<NftElement>& into) {
  std::string_view list = find_bytes(attributes, NFTA_SET_ELEM_LIST_ELEMENTS).value_or("");
  while (const auto element = next_attribute(list)) into.push_back(decode_element(element->bytes));
}

}  // namespace proxima::dataplane
