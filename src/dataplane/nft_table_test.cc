// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_table.h"

#include <gtest/gtest.h>

namespace proxima::dataplane {
namespace {

const NftSet kMap{.name = "map",
                  .key = {NftType::Priority},
                  .holds = NftSet::Holds::Data,
                  .data = {NftType::Priority}};
const NftSet kVerdicts{
    .name = "verdicts", .key = {NftType::Priority}, .holds = NftSet::Holds::Verdicts, .data = {}};
const NftSet kRanges{
    .name = "ranges", .key = {NftType::Address, NftType::Address}, .data = {}, .intervals = true};
const NftHook kHook{.type = NftHook::Type::Filter, .where = NftHook::Where::Prerouting};

NftElement datum(const char* key, const char* value) {
  return {.key = key, .key_end = {}, .value = NftBytes(value)};
}
NftElement leads(const char* key, const char* chain) {
  return {.key = key,
          .key_end = {},
          .value = NftVerdict{.kind = NftVerdict::Kind::Goto, .chain = chain}};
}
NftElement range(const char* first, const char* last) {
  return {.key = first, .key_end = last, .value = {}};
}
NftRule jump(const char* chain) {
  return {.steps = {NftVerdict{.kind = NftVerdict::Kind::Jump, .chain = chain}}, .comment = ""};
}
NftRule lookup(const char* set) {
  return {.steps = {NftLookup{.set = set, .to = {}}}, .comment = ""};
}

// A table with a base chain "base", chains "a" and "b", and the three sets.
NftTable prepared() {
  NftTable table(IpFamily::V4);
  const Status made = table.apply(
      {.family = IpFamily::V4,
       .table = "t",
       .operations = {NftAddTable{}, NftAddSet{kMap}, NftAddSet{kVerdicts}, NftAddSet{kRanges},
                      NftAddChain{"base", kHook}, NftAddChain{"a", {}}, NftAddChain{"b", {}},
                      NftAddElements{"map", {datum("key1", "val1")}}}});
  EXPECT_TRUE(made.has_value());
  return table;
}

std::string outcome(NftTable& table, std::vector<NftOperation> operations) {
  const Status done =
      table.apply({.family = IpFamily::V4, .table = "t", .operations = std::move(operations)});
  return done ? "done" : done.error().message;
}

TEST(NftTable, TakesAndRefusesWhatAKernelDoes) {
  const struct {
    const char* name;
    std::vector<NftOperation> operations;
    const char* outcome;
  } cases[] = {
      // clang-format off
      {"the same element again", {NftAddElements{"map", {datum("key1", "val1")}}}, "done"},
      {"an element with another value", {NftAddElements{"map", {datum("key1", "val2")}}}, "an element of map has another value"},
      {"one after the other", {NftDeleteElements{"map", {datum("key1", "val1")}}, NftAddElements{"map", {datum("key1", "val2")}}}, "done"},
      {"an element that is not there", {NftDeleteElements{"map", {datum("key2", "val1")}}}, "\"an element of map\" is not there"},
      {"a key that is too long", {NftAddElements{"map", {datum("key12", "val1")}}}, "a key of another width than map's"},
      {"data that are too short", {NftAddElements{"map", {datum("key2", "v")}}}, "data of another width than map's"},
      {"a set that is not there", {NftAddElements{"none", {}}}, "\"none\" is not there"},
      {"a verdict to nowhere", {NftAddElements{"verdicts", {leads("key1", "none")}}}, "\"none\" is not there"},
      {"a rule to nowhere", {NftAddRule{"base", jump("none")}}, "\"none\" is not there"},
      {"a rule with an unknown set", {NftAddRule{"base", lookup("none")}}, "\"none\" is not there"},
      {"a chain that is in use", {NftAddRule{"base", jump("a")}, NftDeleteChain{"a"}}, "chain a is in use"},
      {"a chain that a verdict leads to", {NftAddElements{"verdicts", {leads("key1", "a")}}, NftDeleteChain{"a"}}, "chain a is in use"},
      {"a chain with rules", {NftAddRule{"a", jump("b")}, NftDeleteChain{"a"}}, "chain a has rules"},
      {"a chain that nobody needs", {NftDeleteChain{"a"}}, "done"},
      {"a set that is in use", {NftAddRule{"a", lookup("map")}, NftDeleteSet{"map"}}, "set map is in use"},
      {"a loop of rules", {NftAddRule{"base", jump("a")}, NftAddRule{"a", jump("b")}, NftAddRule{"b", jump("a")}}, "chain a leads to itself"},
      {"a loop of verdicts", {NftAddRule{"base", jump("a")}, NftAddRule{"a", lookup("verdicts")}, NftAddElements{"verdicts", {leads("key1", "a")}}}, "chain a leads to itself"},
      {"a loop that no packet reaches", {NftAddRule{"a", jump("b")}, NftAddRule{"b", jump("a")}}, "done"},
      {"another hook for a chain", {NftAddChain{"a", kHook}}, "chain a has another hook"},
      {"intervals side by side", {NftAddElements{"ranges", {range("aaaabbbb", "aaaadddd"), range("aaaaeeee", "aaaaffff")}}}, "done"},
      {"intervals of different first parts", {NftAddElements{"ranges", {range("aaaabbbb", "aaaadddd"), range("bbbbbbbb", "bbbbdddd")}}}, "done"},
      {"an interval within another", {NftAddElements{"ranges", {range("aaaabbbb", "aaaadddd"), range("aaaacccc", "aaaacccc")}}}, "intervals of ranges overlap"},
      // clang-format on
  };
  for (const auto& c : cases) {
    NftTable table = prepared();
    EXPECT_EQ(outcome(table, c.operations), c.outcome) << c.name;
  }
}

TEST(NftTable, StaysAsItWasWhenAnythingIsRefused) {
  NftTable table = prepared();
  const NftTableContent before = table.content();
  EXPECT_NE(outcome(table, {NftAddChain{"c", {}}, NftDeleteChain{"none"}}), "done");
  EXPECT_EQ(table.content(), before);
}

TEST(NftTable, IsGoneWithAllThatIsInIt) {
  NftTable table = prepared();
  EXPECT_EQ(outcome(table, {NftDeleteTable{}}), "done");
  EXPECT_EQ(table.content(), NftTableContent{});
  EXPECT_EQ(outcome(table, {NftAddChain{"a", {}}}), "\"the table\" is not there");
}

}  // namespace
}  // namespace proxima::dataplane
