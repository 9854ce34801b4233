// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_trace.h"

#include <gtest/gtest.h>

namespace proxima::dataplane {
namespace {

using Kind = NftVerdict::Kind;

NftRule rule(std::vector<NftExpression> steps) {
  return {.steps = std::move(steps), .comment = ""};
}
NftVerdict verdict(Kind kind, const char* chain = "") { return {.kind = kind, .chain = chain}; }
NftHook hook(NftHook::Where where, std::int32_t priority,
             NftHook::Type type = NftHook::Type::Filter) {
  return {.type = type, .where = where, .priority = priority};
}
NftBytes number(std::uint32_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

const NftSet kMarks{.name = "marks",
                    .key = {NftType::Random},
                    .holds = NftSet::Holds::Data,
                    .data = {NftType::Priority}};

NftTable table_of(std::vector<NftOperation> operations) {
  NftTable table(IpFamily::V4);
  operations.insert(operations.begin(), {NftAddTable{}, NftAddSet{kMarks}});
  const Status made =
      table.apply({.family = IpFamily::V4, .table = "t", .operations = std::move(operations)});
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  return table;
}

const IpAddress kHere = IpAddress::parse("192.168.0.1").value();

std::vector<NftOutcome> run(const NftTable& table, bool sent_here = false) {
  auto outcomes = nft_trace(table, {.source = IpAddress::parse("10.0.0.1").value(),
                                    .destination = kHere,
                                    .port = 80,
                                    .input_interface = "eth0",
                                    .sent_here = sent_here,
                                    .local_addresses = std::span(&kHere, 1)});
  EXPECT_TRUE(outcomes.has_value());
  return outcomes ? *outcomes : std::vector<NftOutcome>{};
}

constexpr auto kBefore = NftHook::Where::Prerouting;
constexpr auto kAfter = NftHook::Where::Postrouting;

NftExpression mark_is(std::uint32_t value) {
  return NftCompare{.from = 0, .equal = true, .value = number(value)};
}

TEST(NftTrace, PassesWhatNoRuleConcerns) {
  const auto outcomes = run(table_of({NftAddChain{"base", hook(kBefore, 0)}}));
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes[0].kind, NftOutcome::Kind::Pass);
  EXPECT_DOUBLE_EQ(outcomes[0].probability, 1);
}

TEST(NftTrace, MeetsChainsByPriorityAndHook) {
  const NftTable table = table_of({
      NftAddChain{"late", hook(kBefore, 10)},
      NftAddChain{"early", hook(kBefore, -10)},
      NftAddChain{"out", hook(NftHook::Where::Output, 0)},
      NftAddRule{"late",
                 rule({NftLoadMeta{.key = NftMetaKey::Mark, .to = 0}, mark_is(7), NftReject{}})},
      NftAddRule{"early", rule({NftLoadConstant{.to = 0, .value = number(7)},
                                NftSetMeta{.key = NftMetaKey::Mark, .from = 0}})},
      NftAddRule{"out", rule({verdict(Kind::Drop)})},
  });
  EXPECT_EQ(run(table)[0].kind, NftOutcome::Kind::Reject);
  EXPECT_EQ(run(table, true)[0].kind, NftOutcome::Kind::Drop);
}

TEST(NftTrace, ComesBackFromAJumpAndNotFromAGoto) {
  const auto kind = [](Kind how) {
    return run(table_of({NftAddChain{"base", hook(kBefore, 0)}, NftAddChain{"other", {}},
                         NftAddRule{"base", rule({verdict(how, "other")})},
                         NftAddRule{"base", rule({verdict(Kind::Drop)})}}))[0]
        .kind;
  };
  EXPECT_EQ(kind(Kind::Jump), NftOutcome::Kind::Drop);
  EXPECT_EQ(kind(Kind::Goto), NftOutcome::Kind::Pass);
}

TEST(NftTrace, TellsAllThatChanceMayBring) {
  const NftTable table = table_of({
      NftAddElements{"marks",
                     {{.key = number(0), .key_end = {}, .value = number(5)},
                      {.key = number(1), .key_end = {}, .value = number(5)},
                      {.key = number(2), .key_end = {}, .value = number(6)}}},
      NftAddChain{"base", hook(kAfter, 0)},
      NftAddRule{"base", rule({NftRandom{.below = 4, .to = 0},
                               NftLookup{.set = "marks", .key = 0, .to = NftRegister{0}},
                               NftSetMeta{.key = NftMetaKey::Priority, .from = 0}})},
  });
  const auto outcomes = run(table);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].priority, 5U);
  EXPECT_DOUBLE_EQ(outcomes[0].probability, 0.5);
  EXPECT_EQ(outcomes[1].priority, 6U);
  EXPECT_EQ(outcomes[2].priority, 0U) << "no element: the rule ends";
  EXPECT_DOUBLE_EQ(outcomes[2].probability, 0.25);
}

TEST(NftTrace, ASetThatIsFullLearnsNobodyAndEndsTheRule) {
  const auto kind = [](std::vector<NftElement> known) {
    const NftSet clients{.name = "clients",
                         .key = {NftType::Address},
                         .holds = NftSet::Holds::Data,
                         .data = {NftType::Priority},
                         .learns = true,
                         .size_limit = 1};
    const NftTable table =
        table_of({NftAddSet{clients}, NftAddElements{"clients", std::move(known)},
                  NftAddChain{"base", hook(kBefore, 0)},
                  NftAddRule{"base", rule({NftLoadPayload{.offset = 12, .length = 4, .to = 0},
                                           NftLearn{.set = "clients", .key = 0, .data = 1},
                                           verdict(Kind::Drop)})}});
    return run(table)[0].kind;
  };
  const NftElement client{.key = {10, 0, 0, 1}, .key_end = {}, .value = number(5)};
  const NftElement other{.key = {10, 0, 0, 2}, .key_end = {}, .value = number(5)};
  EXPECT_EQ(kind({}), NftOutcome::Kind::Drop) << "there is a place";
  EXPECT_EQ(kind({client}), NftOutcome::Kind::Drop) << "it has a place";
  EXPECT_EQ(kind({other}), NftOutcome::Kind::Pass) << "another has the last place";
}

TEST(NftTrace, SeesPacketsAsAKernelDoes) {
  const auto matches = [](std::vector<NftExpression> steps) {
    steps.emplace_back(verdict(Kind::Drop));
    return run(table_of({NftAddChain{"base", hook(kBefore, 0)},
                         NftAddRule{"base", rule(std::move(steps))}}))[0]
               .kind == NftOutcome::Kind::Drop;
  };
  const auto is = [](NftBytes value) {
    return NftCompare{.from = 0, .equal = true, .value = std::move(value)};
  };
  using Type = NftLoadAddressType;
  EXPECT_TRUE(matches({NftLoadPayload{NftHeader::Network, 12, 4, 0}, is({10, 0, 0, 1})}));
  EXPECT_TRUE(matches({NftLoadPayload{NftHeader::Transport, 2, 2, 0}, is({0, 80, 0, 0})}));
  EXPECT_FALSE(matches({NftLoadPayload{NftHeader::Transport, 100, 2, 0}})) << "beyond its end";
  EXPECT_TRUE(matches({NftLoadMeta{NftMetaKey::Protocol, 0}, is({6, 0, 0, 0})}));
  EXPECT_TRUE(matches({NftLoadMeta{NftMetaKey::InputName, 0}, is("eth")}));
  EXPECT_TRUE(matches({Type{Type::Of::Destination, 0}, is(number(2))}));
  EXPECT_FALSE(matches({Type{Type::Of::Source, 0}, is(number(2))}));
  EXPECT_TRUE(matches({NftLoadCt{NftCtKey::State, 0}, is(number(8))}));
  EXPECT_TRUE(matches({NftLoadConstant{0, number(6)}, NftBitwise{0, 1, number(4), number(1)},
                       NftCompare{1, true, number(5)}}));
}

TEST(NftTrace, RefusesWhatAKernelWould) {
  const auto problem = [](std::vector<NftExpression> steps) {
    const NftTable table = table_of(
        {NftAddChain{"base", hook(kBefore, 0)}, NftAddRule{"base", rule(std::move(steps))}});
    const auto outcomes = nft_trace(table, {.source = kHere, .destination = kHere});
    return outcomes ? "" : outcomes.error().message;
  };
  EXPECT_EQ(problem({NftMasquerade{}}), "run rules: masquerading outside of a nat chain");
  EXPECT_EQ(problem({NftDestinationNat{}}), "run rules: a translation outside of a nat chain");
  EXPECT_EQ(problem({NftLoadConstant{.to = 15, .value = NftBytes(8, 'x')}}),
            "run rules: a value beyond the last register");
  EXPECT_EQ(problem({NftLookup{.set = "marks", .to = {}}}),
            "run rules: set marks holds something else");
  EXPECT_EQ(problem({NftUnknown{"quota"}}), "run rules: unknown: quota");
}

}  // namespace
}  // namespace proxima::dataplane
