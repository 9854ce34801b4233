// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_encode.h"

#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include <string_view>
#include <variant>

#include "dataplane/netlink_reader.h"
#include "dataplane/netlink_writer.h"
#include "dataplane/nft_encode_rule.h"
#include "dataplane/nft_numbers.h"
#include "dataplane/nft_set_types.h"

namespace proxima::dataplane {
namespace {

// `nft` knows a map of verdicts by this type; a kernel insists on it.
constexpr std::uint32_t kVerdictType = NFT_DATA_VERDICT;
constexpr std::uint32_t kVerdictLength = 16;

class BatchEncoder {
 public:
  explicit BatchEncoder(const NftTransaction& transaction) : transaction_(transaction) {}

  void begin_batch(std::optional<std::uint32_t> generation) {
    out_.begin_message(
        {.type = NFNL_MSG_BATCH_BEGIN, .sequence = kBatchBegin, .resource = NFNL_SUBSYS_NFTABLES});
    if (generation) out_.put_u32(NFNL_BATCH_GENID, *generation);
    out_.end_message();
  }

  void encode(std::size_t operation) {
    operation_ = operation;
    std::visit(*this, transaction_.operations[operation]);
  }

  NftBatch finish() && {
    if (!messages_.empty()) out_.add_flags(messages_.back().at, NLM_F_ACK);
    out_.begin_message({.type = NFNL_MSG_BATCH_END,
                        .sequence = static_cast<std::uint32_t>(messages_.size() + 1),
                        .resource = NFNL_SUBSYS_NFTABLES});
    out_.end_message();
    return {.bytes = out_.take(), .messages = std::move(messages_)};
  }

  void operator()(const NftAddTable&) {
    begin(NFT_MSG_NEWTABLE, NLM_F_CREATE, 0);
    out_.put_text(NFTA_TABLE_NAME, transaction_.table);
    out_.put_u32(NFTA_TABLE_FLAGS, 0);  // wakes a table that a stranger has put to sleep
    out_.end_message();
  }

  void operator()(const NftDeleteTable&) {
    begin(NFT_MSG_DELTABLE, 0, 0);
    out_.put_text(NFTA_TABLE_NAME, transaction_.table);
    out_.end_message();
  }

  void operator()(const NftAddChain& chain) {
    begin_chain(NFT_MSG_NEWCHAIN, NLM_F_CREATE, chain.name);
    if (chain.hook) put_hook(*chain.hook);
    out_.end_message();
  }

  void operator()(const NftFlushChain& chain) {
    begin(NFT_MSG_DELRULE, 0, 0);  // without a handle: all rules of the chain
    out_.put_text(NFTA_RULE_TABLE, transaction_.table);
    out_.put_text(NFTA_RULE_CHAIN, chain.name);
    out_.end_message();
  }

  void operator()(const NftDeleteChain& chain) {
    begin_chain(NFT_MSG_DELCHAIN, 0, chain.name);
    out_.end_message();
  }

  void operator()(const NftAddRule& rule) {
    begin(NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND, 0);
    out_.put_text(NFTA_RULE_TABLE, transaction_.table);
    out_.put_text(NFTA_RULE_CHAIN, rule.chain);
    encode_rule(out_, transaction_.family, rule.rule);
    out_.end_message();
  }

  void operator()(const NftDeleteRule& rule) {
    begin(NFT_MSG_DELRULE, 0, 0);
    out_.put_text(NFTA_RULE_TABLE, transaction_.table);
    out_.put_text(NFTA_RULE_CHAIN, rule.chain);
    out_.put_u64(NFTA_RULE_HANDLE, rule.handle);
    out_.end_message();
  }

  void operator()(const NftAddSet& add) {
    begin_set(NFT_MSG_NEWSET, NLM_F_CREATE, add.set.name);
    out_.put_u32(NFTA_SET_ID, ++last_set_id_);
    put_set(add.set);
    out_.end_message();
  }

  void operator()(const NftDeleteSet& set) {
    begin_set(NFT_MSG_DELSET, 0, set.name);
    out_.end_message();
  }

  void operator()(const NftFlushSet& set) {
    begin_elements(NFT_MSG_DELSETELEM, set.name, 0);  // without elements: all of them
    out_.end_message();
  }

  void operator()(const NftAddElements& add) {
    put_elements(NFT_MSG_NEWSETELEM, add.set, add.elements);
  }

  void operator()(const NftDeleteElements& remove) {
    put_elements(NFT_MSG_DELSETELEM, remove.set, remove.elements);
  }

 private:
  void begin(int message, int flags, std::size_t first_element) {
    messages_.push_back(
        {.at = out_.size(), .operation = operation_, .first_element = first_element});
    out_.begin_message({.type = static_cast<std::uint16_t>(NFNL_SUBSYS_NFTABLES << 8 | message),
                        .flags = static_cast<std::uint16_t>(flags),
                        .sequence = static_cast<std::uint32_t>(messages_.size()),
                        .family = family_number(transaction_.family)});
  }

  void begin_chain(int message, int flags, std::string_view name) {
    begin(message, flags, 0);
    out_.put_text(NFTA_CHAIN_TABLE, transaction_.table);
    out_.put_text(NFTA_CHAIN_NAME, name);
  }

  void begin_set(int message, int flags, std::string_view name) {
    begin(message, flags, 0);
    out_.put_text(NFTA_SET_TABLE, transaction_.table);
    out_.put_text(NFTA_SET_NAME, name);
  }

  void begin_elements(int message, std::string_view set, std::size_t first_element) {
    begin(message, message == NFT_MSG_NEWSETELEM ? NLM_F_CREATE : 0, first_element);
    out_.put_text(NFTA_SET_ELEM_LIST_TABLE, transaction_.table);
    out_.put_text(NFTA_SET_ELEM_LIST_SET, set);
  }

  void put_hook(const NftHook& hook) {
    const std::size_t nest = out_.open_nest(NFTA_CHAIN_HOOK);
    out_.put_u32(NFTA_HOOK_HOOKNUM, number_of(kHookNumbers, hook.where));
    out_.put_u32(NFTA_HOOK_PRIORITY, static_cast<std::uint32_t>(hook.priority));
    out_.close_nest(nest);
    out_.put_text(NFTA_CHAIN_TYPE, chain_type_name(hook.type));
    out_.put_u32(NFTA_CHAIN_POLICY, NF_ACCEPT);
  }

  void put_set(const NftSet& set) {
    const IpFamily family = transaction_.family;
    out_.put_u32(NFTA_SET_FLAGS, set_flags(set));
    out_.put_u32(NFTA_SET_KEY_TYPE, type_number(set.key, family));
    out_.put_u32(NFTA_SET_KEY_LEN, static_cast<std::uint32_t>(nft_width(set.key, family)));
    if (set.holds == NftSet::Holds::Data) {
      out_.put_u32(NFTA_SET_DATA_TYPE, type_number(set.data, family));
      out_.put_u32(NFTA_SET_DATA_LEN, static_cast<std::uint32_t>(nft_width(set.data, family)));
    }
    if (set.holds == NftSet::Holds::Verdicts) {
      out_.put_u32(NFTA_SET_DATA_TYPE, kVerdictType);
      out_.put_u32(NFTA_SET_DATA_LEN, kVerdictLength);
    }
    if (size_to_send(set) != 0 || set.intervals) put_description(set);
    out_.put(NFTA_SET_USERDATA, set_userdata(set, family));
  }

  static std::uint32_t size_to_send(const NftSet& set) {
    return set.learns && set.size_limit == kNftGrowingLimit ? 0 : set.size_limit;
  }

  void put_description(const NftSet& set) {
    const std::size_t description = out_.open_nest(NFTA_SET_DESC);
    if (size_to_send(set) != 0) out_.put_u32(NFTA_SET_DESC_SIZE, size_to_send(set));
    if (set.intervals) put_fields(set.key);
    out_.close_nest(description);
  }

  // A kernel compares ranges part by part and must know where each ends.
  void put_fields(const std::vector<NftType>& parts) {
    const std::size_t fields = out_.open_nest(NFTA_SET_DESC_CONCAT);
    for (const NftType part : parts) {
      const std::size_t field = out_.open_nest(NFTA_LIST_ELEM);
      out_.put_u32(NFTA_SET_FIELD_LEN, field_length(part, transaction_.family));
      out_.close_nest(field);
    }
    out_.close_nest(fields);
  }

  void put_elements(int message, std::string_view set, const std::vector<NftElement>& elements) {
    std::size_t next = 0;
    while (next < elements.size()) {
      begin_elements(message, set, next);
      const std::size_t list = out_.open_nest(NFTA_SET_ELEM_LIST_ELEMENTS);
      next = put_what_fits(list, message, elements, next);
      out_.close_nest(list);
      out_.end_message();
    }
  }

  // From `next` on; the first element that is not in the list.
  std::size_t put_what_fits(std::size_t list, int message, const std::vector<NftElement>& elements,
                            std::size_t next) {
    for (; next < elements.size(); ++next) {
      const std::size_t before = out_.size();
      put_element(elements[next], message == NFT_MSG_NEWSETELEM);
      if (out_.size() - list <= NetlinkWriter::kMaxNest) continue;
      out_.cut(before);
      break;
    }
    return next;
  }

  void put_element(const NftElement& element, bool with_value) {
    const std::size_t nest = out_.open_nest(NFTA_LIST_ELEM);
    encode_value(out_, NFTA_SET_ELEM_KEY, element.key);
    if (element.key_end) encode_value(out_, NFTA_SET_ELEM_KEY_END, *element.key_end);
    if (with_value) put_value(element);
    out_.close_nest(nest);
  }

  void put_value(const NftElement& element) {
    if (const auto* data = std::get_if<NftBytes>(&element.value)) {
      encode_value(out_, NFTA_SET_ELEM_DATA, *data);
    } else if (const auto* verdict = std::get_if<NftVerdict>(&element.value)) {
      encode_verdict(out_, NFTA_SET_ELEM_DATA, *verdict);
    }
  }

  const NftTransaction& transaction_;
  NetlinkWriter out_;
  std::vector<NftBatch::Message> messages_;
  std::size_t operation_ = 0;
  std::uint32_t last_set_id_ = 0;
};

}  // namespace

NftBatch encode_transaction(const NftTransaction& transaction,
                            std::optional<std::uint32_t> generation) {
  BatchEncoder encoder(transaction);
  encoder.begin_batch(generation);
  for (std::size_t i = 0; i < transaction.operations.size(); ++i) encoder.encode(i);
  return std::move(encoder).finish();
}

std::optional<std::size_t> element_at(const NftBatch& batch, const NftBatch::Message& message,
                                      std::size_t offset) {
  std::string_view rest = std::string_view(batch.bytes).substr(message.at);
  const auto parsed = next_message(rest);
  if (!parsed || offset > batch.bytes.size() - message.at) return std::nullopt;
  const auto list = find_bytes(attributes_of(*parsed), NFTA_SET_ELEM_LIST_ELEMENTS);
  const char* place = batch.bytes.data() + message.at + offset;
  if (!list || place < list->data()) return std::nullopt;
  std::string_view elements = *list;
  std::size_t index = message.first_element;
  while (next_attribute(elements) && elements.data() <= place && !elements.empty()) ++index;
  return index;
}

}  // namespace proxima::dataplane
