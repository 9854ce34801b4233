// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_encode.h"

#include <gtest/gtest.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include "dataplane/netlink_reader.h"
#include "dataplane/nft_decode.h"
#include "dataplane/nft_decode_rule.h"
#include "dataplane/nft_table.h"
#include "support/nft_sample.h"

namespace proxima::dataplane {
namespace {

using test::NftSample;

std::vector<NetlinkMessage> messages_of(std::string_view bytes) {
  std::vector<NetlinkMessage> messages;
  while (const auto message = next_message(bytes)) messages.push_back(*message);
  EXPECT_EQ(bytes, "");
  return messages;
}

int kind_of(const NetlinkMessage& message) { return message.type & 0xff; }

TEST(NftEncode, ABatchHasABeginAnEndAndNumbersBetween) {
  const NftBatch batch = encode_transaction(NftSample{}.transaction());
  const auto messages = messages_of(batch.bytes);
  ASSERT_EQ(messages.size(), batch.messages.size() + 2);
  EXPECT_EQ(messages.front().type, NFNL_MSG_BATCH_BEGIN);
  EXPECT_EQ(messages.back().type, NFNL_MSG_BATCH_END);
  for (std::size_t i = 0; i < messages.size(); ++i) EXPECT_EQ(messages[i].sequence, i);
}

TEST(NftEncode, OnlyTheLastOperationAsksForAnAnswer) {
  const auto batch = encode_transaction(NftSample{}.transaction());
  const auto messages = messages_of(batch.bytes);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ((messages[i].flags & NLM_F_ACK) != 0, i + 2 == messages.size()) << i;
  }
}

TEST(NftEncode, TheGenerationStandsInFront) {
  const NftBatch with = encode_transaction({.table = "t"}, 77);
  EXPECT_EQ(find_u32(attributes_of(messages_of(with.bytes).front()), NFNL_BATCH_GENID), 77U);
  const NftBatch without = encode_transaction({.table = "t"});
  EXPECT_EQ(attributes_of(messages_of(without.bytes).front()), "");
}

// Plays a batch back: what is decoded from its messages, in their order.
NftTransaction decoded(std::string_view bytes, IpFamily family) {
  NftTransaction made{.family = family, .table = "sample"};
  for (const NetlinkMessage& message : messages_of(bytes)) {
    const std::string_view attributes = attributes_of(message);
    switch (message.type >> 8 == NFNL_SUBSYS_NFTABLES ? kind_of(message) : -1) {
      case NFT_MSG_NEWTABLE:
        made.operations.emplace_back(NftAddTable{});
        break;
      case NFT_MSG_NEWSET:
        made.operations.emplace_back(NftAddSet{decode_set(attributes, family)});
        break;
      case NFT_MSG_NEWCHAIN: {
        const NftChain chain = decode_chain(attributes);
        made.operations.emplace_back(NftAddChain{chain.name, chain.hook});
        break;
      }
      case NFT_MSG_NEWRULE:
        made.operations.emplace_back(NftAddRule{std::string(find_text(attributes, NFTA_RULE_CHAIN)),
                                                decode_rule(attributes, family)});
        break;
      case NFT_MSG_NEWSETELEM: {
        NftAddElements add{.set = std::string(find_text(attributes, NFTA_SET_ELEM_LIST_SET))};
        decode_elements(attributes, add.elements);
        made.operations.emplace_back(std::move(add));
        break;
      }
      default:
        break;
    }
  }
  return made;
}

TEST(NftEncode, EveryKindOfThingComesBackFromItsBytes) {
  for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
    const NftTransaction sample = NftSample{family}.transaction();
    NftTable expected(family);
    NftTable played(family);
    ASSERT_TRUE(expected.apply(sample));
    const NftBatch batch = encode_transaction(sample);
    ASSERT_TRUE(played.apply(decoded(batch.bytes, family)));
    EXPECT_TRUE(played.content() == expected.content());
  }
}

struct MessageRow {
  const char* name;
  NftOperation operation;
  int kind;
  int flags;  // beside NLM_F_REQUEST and NLM_F_ACK
  const char* thing;
};

const MessageRow kMessages[] = {
    {"a table is added", NftAddTable{}, NFT_MSG_NEWTABLE, NLM_F_CREATE, ""},
    {"a table is deleted", NftDeleteTable{}, NFT_MSG_DELTABLE, 0, ""},
    {"a chain is added", NftAddChain{"c", {}}, NFT_MSG_NEWCHAIN, NLM_F_CREATE, "c"},
    {"a chain is deleted", NftDeleteChain{"c"}, NFT_MSG_DELCHAIN, 0, "c"},
    {"a chain is flushed", NftFlushChain{"c"}, NFT_MSG_DELRULE, 0, "c"},
    {"a rule is added", NftAddRule{"c", {}}, NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND, "c"},
    {"a set is added", NftAddSet{{.name = "s", .key = {NftType::Address}}}, NFT_MSG_NEWSET,
     NLM_F_CREATE, "s"},
    {"a set is deleted", NftDeleteSet{"s"}, NFT_MSG_DELSET, 0, "s"},
    {"a set is flushed", NftFlushSet{"s"}, NFT_MSG_DELSETELEM, 0, "s"},
    {"elements are added", NftAddElements{"s", {{"key"}}}, NFT_MSG_NEWSETELEM, NLM_F_CREATE, "s"},
    {"elements are deleted", NftDeleteElements{"s", {{"key"}}}, NFT_MSG_DELSETELEM, 0, "s"},
};

TEST(NftEncode, EveryOperationIsOneMessage) {
  for (const MessageRow& row : kMessages) {
    const NftBatch batch =
        encode_transaction({.family = IpFamily::V6, .table = "t", .operations = {row.operation}});
    const auto messages = messages_of(batch.bytes);
    ASSERT_EQ(messages.size(), 3U) << row.name;
    EXPECT_EQ(messages[1].type, NFNL_SUBSYS_NFTABLES << 8 | row.kind) << row.name;
    EXPECT_EQ(messages[1].flags, row.flags | NLM_F_REQUEST | NLM_F_ACK) << row.name;
    EXPECT_EQ(messages[1].payload.at(0), NFPROTO_IPV6) << row.name;
    EXPECT_EQ(find_text(attributes_of(messages[1]), 1), "t") << row.name;
    const bool chain = row.kind == NFT_MSG_NEWCHAIN || row.kind == NFT_MSG_DELCHAIN;
    const std::uint16_t name = chain ? +NFTA_CHAIN_NAME : +NFTA_SET_NAME;
    EXPECT_EQ(find_text(attributes_of(messages[1]), name), row.thing) << row.name;
  }
}

TEST(NftEncode, OnlyALimitThatIsNotTheKernelsOwnIsSent) {
  const struct {
    const char* name;
    bool learns;
    std::uint32_t limit;
    std::uint32_t sent;
  } rows[] = {
      {"a set that learns, with the limit a kernel takes itself", true, kNftGrowingLimit, 0},
      {"one more", true, kNftGrowingLimit + 1, kNftGrowingLimit + 1},
      {"less", true, 10, 10},
      {"a set that does not learn", false, kNftGrowingLimit, kNftGrowingLimit},
      {"no limit", false, 0, 0},
  };
  for (const auto& row : rows) {
    const NftSet set{
        .name = "s", .key = {NftType::Address}, .learns = row.learns, .size_limit = row.limit};
    const NftBatch batch = encode_transaction({.table = "t", .operations = {NftAddSet{set}}});
    const auto messages = messages_of(batch.bytes);
    ASSERT_EQ(messages.size(), 3U) << row.name;
    EXPECT_EQ(decode_set(attributes_of(messages[1]), IpFamily::V4).size_limit, row.sent)
        << row.name;
  }
}

std::vector<NftElement> numbered_elements(std::uint32_t count) {
  std::vector<NftElement> elements;
  for (std::uint32_t i = 0; i < count; ++i) elements.push_back({.key = test::host_u32(i)});
  return elements;
}

TEST(NftEncode, LongListsAreSplitBelowTheLongestNest) {
  const NftTransaction transaction{
      .table = "t",
      .operations = {NftAddElements{"a", numbered_elements(10000)},
                     NftAddElements{"b", numbered_elements(1)},
                     NftDeleteElements{"a", numbered_elements(10000)}}};
  const NftBatch batch = encode_transaction(transaction);
  const auto messages = messages_of(batch.bytes);
  std::vector<NftElement> seen[3];
  for (std::size_t i = 0; i < batch.messages.size(); ++i) {
    const NftBatch::Message& message = batch.messages[i];
    const std::string_view attributes = attributes_of(messages[i + 1]);
    EXPECT_EQ(message.first_element, seen[message.operation].size());
    EXPECT_EQ(find_text(attributes, NFTA_SET_ELEM_LIST_SET), message.operation == 1 ? "b" : "a");
    decode_elements(attributes, seen[message.operation]);
  }
  EXPECT_EQ(seen[0], numbered_elements(10000));
  EXPECT_EQ(seen[1], numbered_elements(1));
  EXPECT_EQ(seen[2], numbered_elements(10000));
  EXPECT_EQ(batch.messages.size(), 7U);  // 16 bytes an element, and nests up to 65535
}

TEST(NftEncode, AnElementIsFoundByItsPlaceInTheMessage) {
  const NftBatch batch = encode_transaction(
      {.table = "t", .operations = {NftAddElements{"s", numbered_elements(5000)}}});
  ASSERT_GT(batch.messages.size(), 1U);
  const NftBatch::Message& message = batch.messages[1];
  const std::size_t list = 16 + 4 + 8 + 8 + 4;  // headers, table, set, the list's own header
  const std::size_t element = 16;
  EXPECT_EQ(element_at(batch, message, 0), std::nullopt);
  EXPECT_EQ(element_at(batch, message, list), message.first_element);
  EXPECT_EQ(element_at(batch, message, list + element - 1), message.first_element);
  EXPECT_EQ(element_at(batch, message, list + element), message.first_element + 1);
  EXPECT_EQ(element_at(batch, message, list + 100 * element), message.first_element + 100);
  EXPECT_EQ(element_at(batch, message, 1U << 30U), std::nullopt);
}

TEST(NftEncode, CommentsAreCutWhereNftWouldRefuseThem) {
  NftRule rule{.steps = {NftReject{}}, .comment = std::string(1000, 'c')};
  const NftBatch batch = encode_transaction({.table = "t", .operations = {NftAddRule{"c", rule}}});
  const auto messages = messages_of(batch.bytes);
  rule.comment.resize(127);
  EXPECT_EQ(decode_rule(attributes_of(messages[1]), IpFamily::V4), rule);
}

}  // namespace
}  // namespace proxima::dataplane
