// SPDX-License-Identifier: Apache-2.0
#include "core/policy/auto_hints.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace proxima::policy {
namespace {

using model::Condition;
using model::Endpoint;
using model::Node;
using model::ZoneIndex;

constexpr std::size_t kZones = 10;  // a, b, c, …

// "a=4 b=2500m -=1 c=0 !d=8 ^a=1": nodes by zone and CPU; '-' no zone, '!' not ready, '^' control
// plane.
std::vector<Node> nodes(const std::string& text, StringPool& names) {
  std::vector<Node> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    Node node;
    node.name = names.intern("node-" + std::to_string(out.size()));
    node.ready = word[0] != '!';
    node.control_plane = word[0] == '^';
    if (word[0] == '!' || word[0] == '^') word.erase(0, 1);
    if (word[0] != '-') node.zone = ZoneIndex(static_cast<std::size_t>(word[0] - 'a'));
    node.cpu = Quantity::parse(word.substr(2)).value();
    out.push_back(node);
  }
  return out;
}

struct SlicesWorld {
  std::vector<std::vector<Endpoint>> slices;
  std::vector<SliceState> states;
  std::vector<std::uint32_t> hints;
};

// "a5 b2 | u c3 a1!": slices separated by '|', each begins with u (unchanged), w (update) or is
// created; endpoints by zone and number, '!' not ready, '?' readiness unsaid, '-' no zone, ">b"
// already hinted to b.
SlicesWorld world(const std::string& text) {
  SlicesWorld out;
  std::istringstream words(text);
  const auto new_slice = [&] {
    out.slices.emplace_back();
    out.states.push_back(SliceState::Create);
  };
  new_slice();
  for (std::string word; words >> word;) {
    if (word == "|") {
      new_slice();
      continue;
    }
    if (word == "u" || word == "w") {
      out.states.back() = word == "u" ? SliceState::Unchanged : SliceState::Update;
      continue;
    }
    Endpoint endpoint;
    endpoint.ready = Condition::True;
    if (word[0] != '-') endpoint.zone = ZoneIndex(static_cast<std::size_t>(word[0] - 'a'));
    if (word.find('!') != std::string::npos) endpoint.ready = Condition::False;
    if (word.find('?') != std::string::npos) endpoint.ready = Condition::Unset;
    if (const auto arrow = word.find('>'); arrow != std::string::npos) {
      endpoint.zone_hint_count = 1;
      endpoint.hints = static_cast<std::uint32_t>(out.hints.size());
      out.hints.push_back(static_cast<std::uint32_t>(word[arrow + 1] - 'a'));
    }
    const int count = std::max(1, std::atoi(word.c_str() + 1));
    for (int i = 0; i < count; ++i) out.slices.back().push_back(endpoint);
  }
  return out;
}

struct Answer {
  AutoDecision decision;
  std::string counts;  // "a4 b3": ready endpoints by hinted zone
  std::string written;
  std::vector<ZoneIndex> hint_of;
};

Answer ask(const std::string& node_text, const std::string& slice_text, AutoOptions options = {},
           bool hinted = false) {
  StringPool names;
  const auto node_list = nodes(node_text, names);
  const CpuRatios ratios = cpu_ratios(node_list, kZones, options.missing, names);
  const SlicesWorld given = world(slice_text);
  std::vector<HintSlice> slices;
  std::size_t endpoints = 0;
  for (std::size_t i = 0; i < given.slices.size(); ++i) {
    slices.push_back({given.slices[i], given.states[i]});
    endpoints += given.slices[i].size();
  }
  Answer answer;
  answer.hint_of.resize(endpoints);
  std::vector<unsigned char> written(slices.size());
  AutoWorkspace workspace;
  answer.decision = auto_hints({.slices = slices,
                                .hints = given.hints,
                                .ratios = &ratios,
                                .options = options,
                                .has_hints_now = hinted},
                               workspace, answer.hint_of, written);
  std::map<char, int> counts;
  for (ZoneIndex zone : answer.hint_of) {
    if (zone) ++counts[static_cast<char>('a' + zone.value())];
  }
  for (auto [zone, count] : counts) {
    answer.counts +=
        (answer.counts.empty() ? "" : " ") + std::string(1, zone) + std::to_string(count);
  }
  for (unsigned char w : written) answer.written += w != 0 ? 'w' : '-';
  return answer;
}

// clang-format off
TEST(AutoHints, AllotsEndpointsInProportionToCpuOrSaysWhyNot) {
  const struct {
    const char* name;
    const char* nodes;
    const char* slices;
    const char* counts;
    std::int64_t lent;
    Reason reason;
  } rows[] = {
      // name                                  nodes               slices                counts lent
      // reason
      {"two zones of like size", "a=45 b=55", "a1 b1", "a1 b1", 0, Reason::HintsAssigned},
      {"lends from the fullest zone", "a=35 b=35 c=30", "a3 b1 | a2 b1 c3", "a4 b3 c3", 1,
       Reason::HintsAssigned},
      {"does not hint what is not ready", "a=1 b=1", "a1 b1 a1! b1?", "a1 b1", 0,
       Reason::HintsAssigned},
      {"spreads three over three zones", "a=1 b=1 c=1", "c3", "a1 b1 c1", 2, Reason::HintsAssigned},
      {"keeps a zone that has no nodes", "a=1 b=1", "a3 b2 c1", "a3 b2 c1", 0,
       Reason::HintsAssigned},
      {"needs an endpoint a zone", "a=1 b=1 c=1", "a1 b1", "", 0, Reason::TooFewEndpoints},
      {"cannot share four among three", "a=1 b=1 c=1", "a2 b1 c1", "", 0, Reason::OverloadTooHigh},
      {"needs every endpoint's zone", "a=1 b=1", "a1 -1 b1 b1", "", 0, Reason::EndpointWithoutZone},
      {"ignores the zone of an unready one", "a=1 b=1", "a1 b1 -1!", "a1 b1", 0,
       Reason::HintsAssigned},
      {"needs two zones", "a=1 a=2", "a4", "", 0, Reason::SingleZone},
      {"needs nodes", "", "a4", "", 0, Reason::NodeInformationMissing},
      {"needs every node's zone", "a=1 b=1 -=1", "a2 b2", "", 0, Reason::NodeInformationMissing},
      {"needs every node's CPU", "a=1 b=0", "a2 b2", "", 0, Reason::NodeInformationMissing},
      {"does not look at unready nodes", "a=1 b=1 !-=1", "a2 b2", "a2 b2", 0,
       Reason::HintsAssigned},
      {"does not look at control planes", "a=1 b=1 ^c=9", "a2 b2", "a2 b2", 0,
       Reason::HintsAssigned},
      {"a lone unready zone does not count", "a=1 !b=1", "a2 b2", "", 0, Reason::SingleZone},
      {"sixteen in one zone, slightly uneven", "a=51 b=51 c=58", "a16", "a6 b5 c5", 10,
       Reason::HintsAssigned},
      {"a zone without endpoints is served", "a=50 b=56 c=54", "b8 c8", "a5 b6 c5", 5,
       Reason::HintsAssigned},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const Answer got = ask(row.nodes, row.slices);
    EXPECT_EQ(got.counts, row.counts);
    EXPECT_EQ(got.decision.lent, row.lent);
    EXPECT_EQ(got.decision.why.reason, row.reason);
    EXPECT_EQ(got.decision.hinted, row.counts[0] != '\0');
  }
}
// clang-format on

TEST(AutoHints, RedirectsTheFirstEndpointOfTheGivingZone) {
  const Answer got = ask("a=35 b=35 c=30", "a3 b1 | a2 b1 c3");
  EXPECT_EQ(got.hint_of.front(), ZoneIndex(1));
  EXPECT_EQ(got.hint_of[1], ZoneIndex(0));
}

// clang-format off
TEST(AutoHints, KeepsHintsThatAreStillRight) {
  const struct {
    const char* name;
    const char* slices;
    const char* counts;
    const char* written;
  } rows[] = {
      {"right hints stay", "u a1>a b1>b", "a1 b1", "-"},
      {"also when a better share exists", "u a1>a a1>a a1>b b1>b", "a2 b2", "-"},
      {"a missing hint rewrites the slice", "u a1>a b1", "a1 b1", "w"},
      {"a hint to a zone without nodes does", "u a1>c b1>b", "a1 b1", "w"},
      {"too many for one zone does", "u a1>a b1>a a1>a b1>b", "a2 b2", "w"},
      {"only the slice that is wrong", "u a1>a b1>b | u a1 b1", "a2 b2", "-w"},
      {"an empty slice stays", "u | a1 b1", "a1 b1", "-w"},
      {"hints of unready ones do not matter", "u a1>a b1>b a1!>c", "a1 b1 c1", "-"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const Answer got = ask("a=1 b=1", row.slices);
    EXPECT_EQ(got.counts, row.counts);
    EXPECT_EQ(got.written, row.written);
  }
}

TEST(AutoHints, LendsByTurnsWhereSlicesThatStayLeaveTooFew) {
  // a wants 6 and b wants 10, but only the fourteen of the written slice can be lent: b, the
  // neediest, goes first and most often.
  const Answer got = ask("a=3 b=5 c=2", "u c6>c | c14");
  EXPECT_EQ(got.counts, "a4 b10 c6");
  EXPECT_EQ(got.written, "-w");
}

TEST(AutoHints, WritesSlicesSetAsideBeforeAnEndpointWithoutZoneIsFound) {
  EXPECT_EQ(ask("a=1 b=1", "u a1 b1 | u a1 -1").written, "ww");
  EXPECT_EQ(ask("a=1 b=1", "u a1>a b1>b | u a1 -1").written, "ww") << "hints are removed";
  EXPECT_EQ(ask("a=1 b=1", "u | u a1 -1").written, "-w") << "nothing was wrong with the first";
}
// clang-format on

TEST(AutoHints, ReportsKeptHintsAndRemovesRefusedOnes) {
  EXPECT_EQ(ask("a=1 b=1", "u a1>a b1>b").decision.why.reason, Reason::HintsKept);
  const Answer refused = ask("a=1 b=1 c=1", "u a1>a b1>b c1>c a1>a | u a1");
  EXPECT_EQ(refused.written, "w-");
  EXPECT_EQ(refused.counts, "");
}

TEST(AutoHints, FindsExactlyTheEndpointNumbersThatUpstreamFinds) {
  const struct {
    int zones;
    std::vector<int> refused;
  } rows[] = {{2, {3, 5}},
              {3, {4, 5, 8, 11}},
              {4, {5, 6, 7, 10, 11, 15}},
              {5, {6, 7, 8, 9, 12, 13, 14, 19, 24}}};
  for (const auto& row : rows) {
    std::string cpu;
    for (int z = 0; z < row.zones; ++z) cpu += std::string(1, static_cast<char>('a' + z)) + "=1 ";
    for (int n = row.zones; n <= 60; ++n) {
      SCOPED_TRACE(std::to_string(row.zones) + " zones, " + std::to_string(n) + " endpoints");
      const bool refused = std::count(row.refused.begin(), row.refused.end(), n) > 0;
      EXPECT_EQ(ask(cpu, "a" + std::to_string(n)).decision.hinted, !refused);
    }
  }
}

TEST(AutoHints, RoundsAsIeeeDoublesDoAndNotAsFractionsWould) {
  // 1 of 5 cores and 6 endpoints: exactly 1 would do, the double asks for 2.
  EXPECT_FALSE(ask("a=1 b=1 c=1 d=1 e=1", "a6").decision.hinted);
  // 2 of 5 cores and 3 endpoints: likewise.
  EXPECT_FALSE(ask("a=2 b=3", "a1 b2").decision.hinted);
}

TEST(AutoHints, StartsBelowOneThresholdAndStopsAboveAnother) {
  // Four endpoints in three equal zones: 33 % over in the best case. Five in 2:3 CPU: 25 %.
  const AutoOptions upstream{.start_below = 0.2, .stop_above = 0.2};
  const AutoOptions wide{.start_below = 0.2, .stop_above = 0.4};
  const char* nodes_text = "a=1 b=1 c=1";
  const char* slices = "u a1>a a1>a b1>b c1>c";
  EXPECT_FALSE(ask(nodes_text, slices, upstream, true).decision.hinted);
  EXPECT_FALSE(ask(nodes_text, slices, wide, false).decision.hinted) << "it must not start there";
  const Answer held = ask(nodes_text, slices, wide, true);
  EXPECT_TRUE(held.decision.hinted);
  EXPECT_EQ(held.decision.why.reason, Reason::HintsHeld);
  EXPECT_EQ(held.written, "-") << "hints that are held are not rewritten";
  EXPECT_NEAR(held.decision.why.share, 1.0 / 3, 1e-12);
  const AutoOptions narrow{.start_below = 0.2, .stop_above = 0.3};
  EXPECT_FALSE(ask(nodes_text, slices, narrow, true).decision.hinted);
}

TEST(AutoHints, TreatsNodesWithoutDataAsConfigured) {
  const AutoOptions one_core{.missing = MissingNodeData::OneCore};
  const AutoOptions ignore{.missing = MissingNodeData::Ignore};
  EXPECT_EQ(ask("a=16 b=0", "a2 b2", one_core).counts, "a2 b2") << "all nodes alike";
  EXPECT_FALSE(ask("a=1 b=1 -=1", "a2 b2", one_core).decision.hinted) << "a zone is still needed";
  EXPECT_EQ(ask("a=1 b=1 -=1 b=0", "a2 b2", ignore).counts, "a2 b2");
  StringPool names;
  const auto list = nodes("a=1 b=1 -=1 b=0", names);
  const CpuRatios ratios = cpu_ratios(list, kZones, MissingNodeData::Ignore, names);
  ASSERT_EQ(ratios.notes.size(), 2U);
  EXPECT_EQ(sentence(ratios.notes[0]),
            "node node-2 lacks a zone or allocatable CPU and is left out of the count");
}

TEST(CpuRatios, AreExactQuotientsOfMilliCores) {
  StringPool names;
  const auto list = nodes("a=5000m b=4500m c=500m !c=64 ^a=64", names);
  const CpuRatios ratios = cpu_ratios(list, kZones, MissingNodeData::Disable, names);
  EXPECT_EQ(ratios.by_zone[0], 0.5);
  EXPECT_EQ(ratios.by_zone[1], 0.45);
  EXPECT_EQ(ratios.by_zone[2], 0.05);
}

TEST(HintEvent, SpeaksAsUpstreamDoes) {
  const auto event_of = [](const char* n, const char* s) { return hint_event(ask(n, s).decision); };
  EXPECT_EQ(event_of("a=1 b=1", "a1 b1").reason, "TopologyAwareHintsEnabled");
  EXPECT_EQ(event_of("a=1 b=1", "a1 b1").message, "Topology Aware Hints has been enabled");
  EXPECT_EQ(event_of("a=1 b=1 c=1", "a1 b1").message,
            "Insufficient number of endpoints (2 endpoints, 3 zones)");
  EXPECT_EQ(event_of("a=1", "a1 b1").message,
            "Insufficient Node information: allocatable CPU or zone not specified on one or more "
            "nodes");
  EXPECT_EQ(event_of("a=1 b=1 c=1", "a4").reason, "TopologyAwareHintsDisabled");
}

}  // namespace
}  // namespace proxima::policy
