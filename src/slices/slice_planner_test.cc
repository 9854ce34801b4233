// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/guarded.h"
#include "support/planner_world.h"

namespace proxima::slices {
namespace {

using test::PlannerWorld;

constexpr const char* kEqual = "n1 a 4;n2 b 4;n3 c 4;n4 a 4;n5 b 4;n6 c 4;n9 - 4 !ready";

struct PlannerRow {
  const char* name;
  const char* service;
  std::vector<std::string> creates;
  std::vector<std::pair<std::string, std::string>> updates;
  std::vector<std::string> unchanged;
  const char* after;
};

void check(const std::vector<PlannerRow>& rows, const char* nodes = kEqual) {
  for (const PlannerRow& row : rows) {
    SCOPED_TRACE(row.name);
    PlannerWorld world(nodes);
    std::vector<FamilyDraft> drafts{world.draft(row.creates, row.updates, row.unchanged)};
    world.decide(row.service, drafts);
    EXPECT_EQ(world.show(drafts[0]), row.after);
  }
}

// name, service, creates, updates {before, now}, unchanged, after
TEST(SlicePlanner, HintsEndpointsOfARegionToItsZonesWithoutAny) {
  constexpr const char* kRegions =
      "n1 a 4 topology.kubernetes.io/region=r1;n2 b 4 topology.kubernetes.io/region=r1;"
      "n3 c 4 topology.kubernetes.io/region=r2;n4 d 4 topology.kubernetes.io/region=r2";
  const std::vector<PlannerRow> rows = {
      {"a zone of the region has none",
       "PreferClose fallback=region",
       {"n1 n3 n4"},
       {},
       {},
       "create n1>a,b n3>c n4>d"},
      {"nobody asks", "PreferClose", {"n1 n3 n4"}, {}, {}, "create n1>a n3>c n4>d"},
      {"nor can the other region help",
       "PreferClose fallback=region",
       {"n3"},
       {},
       {},
       "create n3>c,d"},
      {"right ones stay unwritten",
       "PreferClose fallback=region",
       {},
       {},
       {"n1>a,b n3>c n4>d"},
       "keep n1>a,b n3>c n4>d"},
      {"until the zone has its own",
       "PreferClose fallback=region",
       {},
       {},
       {"n1>a,b n2>b n3>c n4>d"},
       "update n1>a n2>b n3>c n4>d"},
      {"beside node hints",
       "PreferSameNode fallback=region",
       {"n1 n3 n4"},
       {},
       {},
       "create n1>a,b@n1 n3>c@n3 n4>d@n4"},
      {"a required zone that fails over",
       "require-zone failover=for=10m",
       {"n1 n3 n4"},
       {},
       {},
       "create n1>a,b n3>c n4>d"},
      {"a required zone that does not",
       "require-zone",
       {"n1 n3 n4"},
       {},
       {},
       "create n1>a n3>c n4>d"},
  };
  check(rows, kRegions);
}

// name, service, creates, updates {before, now}, unchanged, after
TEST(SlicePlanner, HintsTheOwnPlaceOfEveryReadyEndpoint) {
  check({
      {"own zone where slices are written",
       "PreferClose",
       {"n1 n2"},
       {{"", "n3 n4"}},
       {},
       "create n1>a n2>b | update n3>c n4>a"},
      {"PreferSameZone is the same", "PreferSameZone", {"n1 n2"}, {}, {}, "create n1>a n2>b"},
      {"PreferSameNode names the node as well",
       "PreferSameNode",
       {"n1 n2"},
       {},
       {},
       "create n1>a@n1 n2>b@n2"},
      {"right hints stay unwritten", "PreferClose", {}, {}, {"n1>a n2>b"}, "keep n1>a n2>b"},
      {"a missing hint makes an update",
       "PreferClose",
       {},
       {},
       {"n1>a n2", "n3>c"},
       "update n1>a n2>b | keep n3>c"},
      {"so does a wrong one", "PreferClose", {}, {}, {"n1>b n2>b"}, "update n1>a n2>b"},
      {"so does one too many", "PreferClose", {}, {}, {"n1>a,b n2>b"}, "update n1>a n2>b"},
      {"a node hint that is not due goes", "PreferClose", {}, {}, {"n1>a@n1"}, "update n1>a"},
      {"an unready endpoint is not looked at",
       "PreferClose",
       {},
       {},
       {"n1>a n2! n3!>a"},
       "keep n1>a n2! n3!>a"},
      {"nor changed where its slice is written",
       "PreferClose",
       {},
       {{"", "n1 n3!>a"}},
       {},
       "update n1>a n3!>a"},
      {"no zone, no zone hint, and the others keep theirs",
       "PreferClose",
       {"n1 n9"},
       {},
       {},
       "create n1>a n9"},
      {"no zone under PreferSameNode: the node alone",
       "PreferSameNode",
       {"n9"},
       {},
       {},
       "create n9@n9"},
      {"a node that is gone is hinted as well",
       "PreferSameNode",
       {"n1 n7/-"},
       {},
       {"n7/-@n7"},
       "create n1>a@n1 n7@n7 | keep n7@n7"},
      {"nothing asked for removes all hints",
       "",
       {"n1>a"},
       {{"", "n2>b n3!>c"}},
       {"n4>a", "n5"},
       "create n1 | update n2 n3! | update n4 | keep n5"},
      {"so does a value that nobody knows",
       "distribution=PreferMoon",
       {},
       {},
       {"n4>a@n4", "n5!>b"},
       "update n4 | update n5!"},
      {"nobody ready: nothing to say", "PreferClose", {}, {}, {"n1! n2!>b"}, "keep n1! n2!>b"},
      {"no endpoint at all", "PreferClose", {}, {}, {""}, "keep"},
  });
}

TEST(SlicePlanner, HintsWholeEndpointsByCpu) {
  check({
      {"one a zone", "Auto", {"n1 n2 n3"}, {}, {}, "create n1>a n2>b n3>c"},
      {"lends where a zone has too many",
       "Auto",
       {"n1 n4 n2 n5 n3 n1/a"},
       {},
       {},
       "create n1>c n4>a n2>b n5>b n3>c n1>a"},
      {"two endpoints for three zones are refused",
       "Auto",
       {"n1 n2"},
       {},
       {"n3!>c"},
       "create n1 n2 | update n3!"},
      {"what is right stays", "Auto", {}, {}, {"n1>a n2>b n3>c"}, "keep n1>a n2>b n3>c"},
      {"created slices are hinted beside kept ones",
       "Auto",
       {"n1 n2 n3"},
       {},
       {"n4>a n5>b n6>c"},
       "create n1>a n2>b n3>c | keep n4>a n5>b n6>c"},
      {"an updated slice gets back what packing took away",
       "Auto",
       {},
       {{"n1>a n2>b n3>c n4>a", "n1 n2 n3"}},
       {},
       "update n1>a n2>b n3>c"},
      {"unready endpoints have none where a slice is written",
       "Auto",
       {},
       {{"", "n1 n2 n3 n4!>a"}},
       {},
       "update n1>a n2>b n3>c n4!"},
      {"and are not looked at where it is not",
       "Auto",
       {},
       {},
       {"n1>a n2>b n3>c n4!>a"},
       "keep n1>a n2>b n3>c n4!>a"},
      {"node hints of another policy go",
       "Auto",
       {},
       {},
       {"n1>a@n1 n2>b n3>c"},
       "update n1>a n2>b n3>c"},
      {"an endpoint without a zone ends it for all",
       "Auto",
       {},
       {},
       {"n1>a n2>b n3>c", "n9"},
       "update n1 n2 n3 | keep n9"},
      {"and nothing is written where there was no hint",
       "Auto",
       {},
       {},
       {"n1 n2 n3", "n9"},
       "keep n1 n2 n3 | keep n9"},
      {"an endpoint is for one zone",
       "Auto",
       {},
       {},
       {"n1>a,b n2>b n3>c"},
       "update n1>a n2>b n3>c"},
      {"the annotation is stronger than the field, even if it cannot",
       "Auto PreferClose",
       {},
       {},
       {"n1>a"},
       "update n1"},
  });
}

TEST(SlicePlanner, HoldsHintsUpToTheSecondThreshold) {
  // Two zones of 4 cores and five endpoints: the best allotment overloads one by 25 %.
  check({{"not begun at 25 %", "Auto", {"n1 n2 n3 n4 n5"}, {}, {}, "create n1 n2 n3 n4 n5"}},
        "n1 a 4;n2 b 4;n3 a 4 !ready;n4 b 4 !ready;n5 a 4 !ready");
  check({{"kept at 25 %",
          "Auto",
          {},
          {},
          {"n1>a n2>b n3>a n4>b n5>a"},
          "keep n1>a n2>b n3>a n4>b n5>a"},
         {"also when the slice is written and packing took the hints away",
          "Auto",
          {},
          {{"n1>a n2>b n3>a n4>b n6>a", "n1 n2 n3 n4 n5"}},
          {},
          "update n1>a n2>b n3>a n4>b n5>a"},
         {"not begun where some had none",
          "Auto",
          {},
          {{"n1>a n2>b n3>a n4", "n1 n2 n3 n4 n5"}},
          {},
          "update n1 n2 n3 n4 n5"}},
        "n1 a 4;n2 b 4;n3 a 4 !ready;n4 b 4 !ready;n5 a 4 !ready");
}

TEST(SlicePlanner, WritesNothingWhereANodeEventCrossesNoThreshold) {
  for (const char* service : {"Auto", "balanced", "zone-aware", "PreferClose", "PreferSameNode"}) {
    SCOPED_TRACE(service);
    PlannerWorld world(kEqual);
    std::vector<FamilyDraft> drafts{world.draft({"n1 n2 n3 n4 n5 n6"}, {}, {})};
    world.decide(service, drafts);
    const auto published = drafts[0].creates[0].value;
    const auto writes = [&] {
      std::vector<FamilyDraft> again{world.draft({}, {}, {})};
      again[0].unchanged.push_back(make_ref<kube::EndpointSliceRecord>(published));
      world.decide(service, again);
      return again[0].updates.size();
    };
    EXPECT_EQ(writes(), 0U) << "nothing happened";
    EXPECT_TRUE(world.set_nodes("n1 a 4;n2 b 4;n3 c 4;n4 a 4;n5 b 4;n6 c 4;n9 - 4 !ready;nx a 1m"));
    EXPECT_EQ(writes(), 0U) << "a node of a thousandth of a core";
    EXPECT_TRUE(world.set_nodes("n1 a 4;n2 b 4;n3 c 4;n4 a 4;n5 b 4;n6 c 3950m;n9 - 4 !ready"));
    EXPECT_EQ(writes(), 0U) << "another kubelet reserves more";
    EXPECT_FALSE(world.set_nodes("n1 a 4;n2 b 4;n3 c 4;n4 a 4;n5 b 4;n6 c 3950m;n9 - 4 !ready"));
  }
}

TEST(SlicePlanner, BringsHintsBackWhenNodesRecover) {
  PlannerWorld world("n1 a 4;n2 - 4;n3 c 4");
  std::vector<FamilyDraft> drafts{world.draft({}, {}, {"n1 n2/b n3"})};
  const auto refused = world.decide("Auto", drafts);
  EXPECT_EQ(world.show(drafts[0]), "keep n1 n2 n3");
  EXPECT_TRUE(refused.depends_on_nodes);
  EXPECT_EQ(refused.families[0].reason, policy::Reason::NodeInformationMissing);
  EXPECT_TRUE(world.set_nodes("n1 a 4;n2 b 4;n3 c 4"));
  world.decide("Auto", drafts);
  EXPECT_EQ(world.show(drafts[0]), "update n1>a n2>b n3>c");
}

TEST(SlicePlanner, LendsTheEndpointThatIsLentAlready) {
  constexpr const char* kTwoZones = "n1 a 4;n2 a 4;n3 a 4;n4 b 4;n5 b 8";
  check({{"another one of the zone may do as well, but this one is published",
          "Auto",
          {},
          {{"n1>a n2>b n3>a n4>b", "n1 n2 n3 n4"}},
          {},
          "update n1>a n2>b n3>a n4>b"},
         {"the same for balanced",
          "balanced",
          {},
          {{"n1>a n2>b n3>a n4>b", "n1 n2 n3 n4"}},
          {},
          "update n1>a n2>b n3>a n4>b"},
         {"nothing is published: the first",
          "Auto",
          {"n1 n2 n3 n4"},
          {},
          {},
          "create n1>b n2>a n3>a n4>b"}},
        kTwoZones);
}

TEST(SlicePlanner, RebalancesKeptSlicesThatOverloadAZone) {
  // Three equal zones, twenty endpoints: a zone may have eight at most, so 8, 8 and 4 could all
  // stay; but then the third is loaded by two thirds more than it should be.
  std::string nodes, a, b, c;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    nodes += "a" + n + " a 1;b" + n + " b 1;c" + n + " c 1;";
    a += "a" + n + ">a ";
    b += "b" + n + ">b ";
    if (i < 4) c += "c" + n + ">c ";
  }
  PlannerWorld world(nodes);
  std::vector<FamilyDraft> drafts{world.draft({}, {}, {a, b, c})};
  const auto decision = world.decide("Auto", drafts);
  EXPECT_FALSE(drafts[0].updates.empty());
  for (const ZoneFigures& zone : decision.families[0].zones)
    EXPECT_LE(zone.predicted_overload, 0.3);
  EXPECT_EQ(decision.families[0].zones[2].hinted, 6U);
}

TEST(SlicePlanner, LeavesHintsAloneThatExceedAMaximumAndNoThreshold) {
  // Two equal zones and ten endpoints: five each at most, yet six and four overload b by a quarter
  // only, and nothing else is to be written.
  PlannerWorld world("a0 a 1;a1 a 1;a2 a 1;a3 a 1;a4 a 1;b0 b 1;b1 b 1;b2 b 1;b3 b 1;b4 b 1");
  const char* kFirst = "a0>a a1>a a2>a a3>a a4>a";
  std::vector<FamilyDraft> quiet{world.draft({}, {}, {kFirst, "b0>a b1>b b2>b b3>b b4>b"})};
  EXPECT_EQ(world.decide("Auto", quiet).families[0].reason, policy::Reason::HintsKept);
  EXPECT_EQ(quiet[0].unchanged.size(), 2U);
  std::vector<FamilyDraft> busy{world.draft({}, {}, {kFirst, "b0>a b1>a b2>b b3>b b4>b"})};
  world.decide("Auto", busy);
  EXPECT_EQ(world.show(busy[0]), "update b0>b b1>b b2>b b3>b b4>b | keep a0>a a1>a a2>a a3>a a4>a");
}

TEST(SlicePlanner, KnowsZonesThatOnlyEndpointsName) {
  PlannerWorld world("n1 a 4;n2 b 4");
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2 n3/late"}, {}, {})};
  world.decide("PreferClose", drafts);
  EXPECT_EQ(world.show(drafts[0]), "create n1>a n2>b n3>late");
}

std::string split_of(const kube::EndpointSliceRecord& slice) {
  return std::string(label(slice.annotations, "proxima.io/zone-split").view());
}

kube::EndpointSliceRecord with_split(kube::EndpointSliceRecord slice, const char* split) {
  slice.annotations =
      test::label_set({{"a/other", "1"}, {"proxima.io/zone-split", split}, {"z/other", "2"}});
  return slice;
}

TEST(SlicePlanner, PublishesTheSplitOnOneSlice) {
  constexpr const char* kSplit = "a=a:1000;b=a:100,b:900;c=a:100,c:900";
  PlannerWorld world("n1 a 4;n2 b 4;n3 c 4;n4 a 4 !ready");
  const auto add = [&](FamilyDraft& draft, const char* name, const char* endpoints,
                       const char* split) {
    auto slice = world.slice(name, endpoints);
    if (split != nullptr) slice = with_split(slice, split);
    draft.unchanged.push_back(make_ref<kube::EndpointSliceRecord>(slice));
  };
  {
    std::vector<FamilyDraft> drafts{world.draft({"n1 n2"}, {}, {"n3 n4"})};
    const auto decision = world.decide("balanced", drafts);
    EXPECT_EQ(decision.families[0].split, kSplit);
    EXPECT_EQ(split_of(drafts[0].creates[0].value), kSplit) << "it is written anyway";
    EXPECT_EQ(drafts[0].unchanged.size(), 1U);
  }
  {
    std::vector<FamilyDraft> drafts{world.draft({}, {}, {"n1 n2", "n3 n4"})};
    world.decide("balanced", drafts);
    ASSERT_EQ(drafts[0].updates.size(), 1U) << "one write, not one a slice";
    EXPECT_EQ(split_of(drafts[0].updates[0].value), kSplit);
    EXPECT_EQ(drafts[0].updates[0].value.meta.version, 7U);
  }
  {
    std::vector<FamilyDraft> drafts{FamilyDraft{}};
    add(drafts[0], "s1", "n1 n2", nullptr);
    add(drafts[0], "s2", "n3 n4", "a=a:1000;b=a:108,b:892;c=a:93,c:907");
    const auto decision = world.decide("balanced", drafts);
    EXPECT_TRUE(drafts[0].updates.empty()) << "no share moved by more than a hundredth";
    EXPECT_EQ(decision.families[0].split, "a=a:1000;b=a:108,b:892;c=a:93,c:907");
  }
  {
    std::vector<FamilyDraft> drafts{FamilyDraft{}};
    add(drafts[0], "s1", "n1 n2", nullptr);
    add(drafts[0], "s2", "n3 n4", "a=a:1000;b=a:111,b:889;c=a:100,c:900");
    world.decide("balanced", drafts);
    ASSERT_EQ(drafts[0].updates.size(), 1U);
    EXPECT_EQ(drafts[0].updates[0].value.meta.name.view(), "s2") << "the one that carries it";
    EXPECT_EQ(split_of(drafts[0].updates[0].value), kSplit);
    EXPECT_EQ(label(drafts[0].updates[0].value.annotations, "z/other").view(), "2");
  }
  {
    std::vector<FamilyDraft> drafts{FamilyDraft{}};
    add(drafts[0], "s1", "n1 n2", kSplit);
    add(drafts[0], "s2", "n3 n4", "nonsense");
    world.decide("balanced", drafts);
    ASSERT_EQ(drafts[0].updates.size(), 1U) << "one is enough";
    EXPECT_EQ(drafts[0].updates[0].value.meta.name.view(), "s2");
    EXPECT_EQ(split_of(drafts[0].updates[0].value), "");
  }
  {
    std::vector<FamilyDraft> drafts{FamilyDraft{}};
    add(drafts[0], "s1", "n1>a n2>b", kSplit);
    const auto decision = world.decide("PreferClose", drafts);
    ASSERT_EQ(drafts[0].updates.size(), 1U) << "not due any more";
    EXPECT_EQ(split_of(drafts[0].updates[0].value), "");
    EXPECT_EQ(decision.families[0].split, "");
    EXPECT_EQ(world.show(drafts[0]), "update n1>a n2>b");
  }
}

TEST(SlicePlanner, TellsWhatItDecided) {
  PlannerWorld world("n1 a 4;n2 b 4;n3 c 4;n4 a 4 !ready");
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2 n3 n4"}, {}, {})};
  const auto refused = world.decide("Auto", drafts);
  const FamilyDecision& family = refused.families.at(0);
  EXPECT_TRUE(family.is_auto);
  EXPECT_EQ(family.reason, policy::Reason::OverloadTooHigh);
  EXPECT_EQ(family.news->reason, "TopologyAwareHintsDisabled");
  EXPECT_EQ(family.news->message,
            "Unable to allocate minimum required endpoints to each zone without exceeding overload "
            "threshold (4 endpoints, 3 zones)");
  EXPECT_EQ(refused.conditions.at(0).type, "proxima.io/TrafficDistributionAccepted");
  EXPECT_EQ(to_text(refused.conditions.at(1).status), "False");
  ASSERT_EQ(family.zones.size(), 3U);
  EXPECT_EQ(family.zones[0].zone, "a");
  EXPECT_EQ(family.zones[0].endpoints, 2U);
  EXPECT_EQ(family.zones[0].hinted, 0U);
  EXPECT_NEAR(family.zones[0].demand, 1.0 / 3, 1e-9);
  EXPECT_NEAR(family.zones[0].local_share, 0.5, 1e-9);
  EXPECT_EQ(family.zones[0].predicted_overload, 0);
  EXPECT_NEAR(family.local_share, 1.0 / 3, 1e-9);

  const auto local = world.decide("PreferClose", drafts);
  EXPECT_FALSE(local.depends_on_nodes);
  EXPECT_NEAR(local.families[0].zones[1].predicted_overload, 1.0 / 3, 1e-9);
  EXPECT_NEAR(local.families[0].zones[0].predicted_overload, -1.0 / 3, 1e-9);
  EXPECT_EQ(local.families[0].zones[0].hinted, 2U);

  std::vector<FamilyDraft> nobody{world.draft({"n1! n2!"}, {}, {})};
  EXPECT_EQ(world.decide("Auto", nobody).families[0].news->message,
            "Insufficient number of endpoints (0 endpoints, 3 zones)");
  EXPECT_TRUE(world.decide("", drafts).conditions.empty()) << "nothing was asked for";
  EXPECT_FALSE(world.decide("moon", drafts).accepted);
}

TEST(SlicePlanner, TheEventOfASingleZoneSaysWhatTheConditionSays) {
  PlannerWorld world("n1 a 4;n2 a 4");
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2"}, {}, {})};
  const auto refused = world.decide("Auto", drafts);
  EXPECT_EQ(refused.families.at(0).news->reason, "TopologyAwareHintsDisabled");
  EXPECT_EQ(refused.families.at(0).news->message, "Nodes only ready in one zone");
  EXPECT_EQ(refused.conditions.at(1).message, "Nodes only ready in one zone");
}

TEST(SlicePlanner, DecidesEachFamilyByItself) {
  PlannerWorld world("n1 a 4;n2 b 4;n3 c 4");
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2"}, {}, {}), world.draft({"n1 n2 n3"}, {}, {}),
                                  FamilyDraft{}};
  drafts[0].family = kube::AddressType::IPv6;  // whatever the order
  drafts.pop_back();
  const auto decision = world.decide("Auto", drafts);
  EXPECT_EQ(world.show(drafts[0]), "create n1 n2");
  EXPECT_EQ(world.show(drafts[1]), "create n1>a n2>b n3>c");
  EXPECT_EQ(decision.families[0].family, kube::AddressType::IPv6);
  EXPECT_FALSE(decision.families[0].hinted);
  EXPECT_TRUE(decision.families[1].hinted);
}

TEST(SlicePlanner, DoesNotMindAFamilyOrAServiceWithoutSlices) {
  PlannerWorld world("n1 a 4;n2 b 4");
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2"}, {}, {}), FamilyDraft{}};
  drafts[1].family = kube::AddressType::IPv6;
  const auto decision = world.decide("PreferClose", drafts);
  EXPECT_EQ(world.show(drafts[0]), "create n1>a n2>b");
  EXPECT_EQ(decision.families[1].reason, policy::Reason::NoEndpointSlices);
  std::vector<FamilyDraft> empty{FamilyDraft{}};
  EXPECT_EQ(world.decide("Auto", empty).families[0].reason, policy::Reason::NoEndpointSlices);
  EXPECT_TRUE(world.decide("Auto", {}).families.empty());
}

TEST(SlicePlanner, ObeysFeatureGates) {
  const struct {
    const char* gates;
    const char* service;
    const char* after;
  } rows[] = {
      {"TopologyAwareHints=false", "Auto PreferClose", "create n1>a n2>b n3>c"},
      {"TopologyAwareHints=false", "auto", "create n1 n2 n3"},
      {"ServiceTrafficDistribution=false", "PreferClose", "create n1 n2 n3"},
      {"PreferSameTrafficDistribution=false", "PreferSameNode", "create n1 n2 n3"},
      {"PreferSameTrafficDistribution=false", "PreferClose", "create n1>a n2>b n3>c"},
      // A server without the gate would drop node hints, and each sync would write them again.
      {"PreferSameTrafficDistribution=false", "prefer-same-node", "create n1>a n2>b n3>c"},
      {"ServiceTopology=false", "keys=topology.kubernetes.io/zone,*", "create n1 n2 n3"},
      {"", "keys=topology.kubernetes.io/zone,*", "create n1>a n2>b n3>c"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(std::string(row.gates) + " " + row.service);
    plan::PlanOptions options;
    options.defaults.gates = *policy::parse_feature_gates(row.gates);
    PlannerWorld world("n1 a 4;n2 b 4;n3 c 4", options);
    std::vector<FamilyDraft> drafts{world.draft({"n1 n2 n3"}, {}, {})};
    world.decide(row.service, drafts);
    EXPECT_EQ(world.show(drafts[0]), row.after);
  }
}

TEST(SlicePlanner, FollowsTheClientsThatTheServiceNames) {
  PlannerWorld world("n1 a 4;n2 b 4");
  const auto workload = [&](const char* service) {
    return world.planner.client_workload(test::service_record(service), nullptr);
  };
  EXPECT_EQ(workload("balanced"), "");
  EXPECT_EQ(workload("balanced demand=clients=front"), "shop/Deployment/front");
  EXPECT_EQ(workload("balanced demand=clients=DaemonSet/front"), "shop/DaemonSet/front");
  EXPECT_EQ(workload("balanced demand=clients=web/Deployment/front"), "web/Deployment/front");

  kube::PodWorkload front;
  front.owner = Text("Deployment/front");
  for (const char* name : {"front-1", "front-2", "front-3"}) {
    auto pod = make_ref<kube::PodRecord>();
    pod->ns = Text("shop");
    pod->name = Text(name);
    pod->node = Text("n2");
    pod->ready = true;
    pod->workload = make_ref<kube::PodWorkload>(front);
    world.clients.push_back(pod);
  }
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2"}, {}, {})};
  const auto decision = world.decide("balanced demand=clients=front", drafts);
  EXPECT_EQ(decision.client_workload, "shop/Deployment/front");
  EXPECT_EQ(decision.families[0].split, "b=a:400,b:600") << "all traffic starts in b";
}

// A bound on overload is at least 0: `balanced` checks it, and no other policy looks at it.
TEST(SlicePlanner, PlansOnAfterAServiceThatCouldNotBePlanned) {
  plan::PlanOptions options;
  options.defaults.overload = -1;
  PlannerWorld world("n1 a 4;n2 b 4", options);
  PlannerWorld untouched("n1 a 4;n2 b 4", options);
  std::vector<FamilyDraft> broken{world.draft({"n1 n2"}, {}, {})};
  const auto breakdown = run_guarded([&] { world.decide("balanced", broken); });
  ASSERT_TRUE(breakdown);
  EXPECT_NE(breakdown->what.find("input.overload >= 0"), std::string::npos) << breakdown->what;
  for (const char* service : {"Auto", "balanced overload=20%", "zone-aware", "PreferClose"}) {
    std::vector<FamilyDraft> after{world.draft({"n1 n1 n2"}, {}, {})};
    std::vector<FamilyDraft> before{untouched.draft({"n1 n1 n2"}, {}, {})};
    const auto got = world.decide(service, after);
    const auto wanted = untouched.decide(service, before);
    EXPECT_EQ(got.families[0].sentence, wanted.families[0].sentence) << service;
    EXPECT_EQ(got.families[0].split, wanted.families[0].split) << service;
  }
}

TEST(SlicePlanner, WeighsEndpointsByTheirPods) {
  PlannerWorld world("n1 a 4;n2 b 4");
  kube::PodWorkload strong;
  strong.weight = 3;
  auto pod = make_ref<kube::PodRecord>();
  pod->ns = Text("shop");
  pod->name = Text("strong");
  pod->workload = make_ref<kube::PodWorkload>(strong);
  world.pods.put(pod);
  std::vector<FamilyDraft> drafts{world.draft({"n1 n2"}, {}, {})};
  kube::TargetRecord target;
  target.kind = Text("Pod");
  target.name = Text("strong");
  drafts[0].creates[0].value.endpoints[0].target = target;
  EXPECT_EQ(world.decide("balanced", drafts).families[0].split, "a=a:1000;b=a:400,b:600");
  drafts[0].may_be_weighted = false;  // who packed knows better, and nobody is looked up
  EXPECT_EQ(world.decide("balanced", drafts).families[0].split, "a=a:1000;b=b:1000");
}

// Random services, packed and published again and again: a second look at what was written finds
// nothing to write, and what is published is whole.
class RandomWorld {
 public:
  explicit RandomWorld(unsigned seed) : random_(seed), world_("") {
    world_.set_nodes(nodes_ = nodes());
  }

  std::string run() {
    std::vector<SliceRef> published;
    for (int step = 0; step < 8; ++step) {
      if (pick(3) == 0) world_.set_nodes(nodes_ = nodes());
      FamilyDraft draft = pack(published);
      const std::string before = world_.show(draft);
      published = sync(std::move(draft));
      const std::string written = world_.show(unchanged(published));
      FamilyDraft again = unchanged(published);
      std::vector<FamilyDraft> drafts{again};
      const auto decision = world_.decide(service_, drafts);
      if (!drafts[0].updates.empty()) {
        return service_ + " on " + nodes_ + ": " + before + "\nwritten " + written + "\nagain " +
               world_.show(drafts[0]);
      }
      if (auto wrong = not_whole(decision, published); !wrong.empty()) return wrong + written;
      if (pick(5) == 0) service_ = kServices[pick(std::size(kServices))];
    }
    return {};
  }

 private:
  static constexpr const char* kServices[] = {"Auto",
                                              "PreferClose",
                                              "PreferSameNode",
                                              "balanced",
                                              "balanced overload=0",
                                              "zone-aware",
                                              "",
                                              "balanced node-first=true",
                                              "keys=topology.kubernetes.io/zone,*"};

  std::size_t pick(std::size_t n) { return random_() % n; }

  std::string nodes() {
    std::string out;
    for (int n = 0; n < 9; ++n) {
      out += "n" + std::to_string(n) + " " + std::string(1, static_cast<char>('a' + n % 3)) + " " +
             std::to_string(1 + pick(4)) + (pick(8) == 0 ? " !ready;" : ";");
    }
    return out;
  }

  std::string endpoints() {
    std::string out;
    for (int n = 0; n < 9; ++n) {
      if (pick(3) > 0) out += "n" + std::to_string(n) + (pick(6) == 0 ? "! " : " ");
    }
    return out;
  }

  // Each slice stays, gets fresh endpoints, or goes; sometimes there is a new one.
  FamilyDraft pack(const std::vector<SliceRef>& published) {
    FamilyDraft draft;
    for (const SliceRef& slice : published) {
      const std::size_t fate = pick(6);
      if (fate == 0) draft.deletes.push_back(slice);
      if (fate == 1) draft.updates.push_back({fresh(*slice), slice});
      if (fate > 1) draft.unchanged.push_back(slice);
    }
    if (published.empty() || pick(4) == 0)
      draft.creates.push_back({world_.slice("", endpoints()), {}});
    return draft;
  }
  kube::EndpointSliceRecord fresh(const kube::EndpointSliceRecord& slice) {
    auto out = world_.slice(slice.meta.name.view(), endpoints());
    out.annotations = slice.annotations;
    return out;
  }

  std::vector<SliceRef> sync(FamilyDraft draft) {
    std::vector<FamilyDraft> drafts{std::move(draft)};
    world_.decide(service_, drafts);
    std::vector<SliceRef> published = drafts[0].unchanged;
    for (auto* part : {&drafts[0].updates, &drafts[0].creates}) {
      for (SliceDraft& one : *part) {
        if (one.value.meta.name.view().empty()) {
          one.value.meta.name = Text("slice-" + std::to_string(++names_));
        }
        published.push_back(make_ref<kube::EndpointSliceRecord>(one.value));
      }
    }
    std::sort(published.begin(), published.end(),
              [](auto& a, auto& b) { return a->meta.name.view() < b->meta.name.view(); });
    return published;
  }
  static FamilyDraft unchanged(const std::vector<SliceRef>& published) {
    FamilyDraft draft;
    draft.unchanged = published;
    return draft;
  }

  static std::string not_whole(const ServiceDecision& decision,
                               const std::vector<SliceRef>& published) {
    std::size_t hinted = 0, bare = 0, splits = 0;
    for (const SliceRef& slice : published) {
      splits += split_of(*slice).empty() ? 0 : 1;
      for (const auto& endpoint : slice->endpoints) {
        if (endpoint.ready != model::Condition::True) continue;
        if (endpoint.zone_hints.size() > 1) return "several hints: ";
        (endpoint.zone_hints.empty() ? bare : hinted) += 1;
      }
    }
    if (hinted > 0 && bare > 0) return "hints on some: ";
    if ((hinted > 0) != (decision.families[0].hinted && hinted + bare > 0)) return "not as told: ";
    if (splits != (decision.families[0].split.empty() ? 0U : 1U)) return "splits: ";
    return {};
  }

  std::mt19937 random_;
  PlannerWorld world_;
  std::string nodes_;
  std::string service_ = "Auto";
  int names_ = 0;
};

TEST(SlicePlanner, FindsNothingToWriteInWhatItWrote) {
  const unsigned seed = std::random_device{}();
  for (unsigned round = 0; round < 400; ++round) {
    ASSERT_EQ(RandomWorld(seed + round).run(), "") << "seed " << seed + round;
  }
}

}  // namespace
}  // namespace proxima::slices
