// SPDX-License-Identifier: Apache-2.0
#include "core/plan/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::Reason;

Explanation explain_first(const std::string& cluster, const std::string& node) {
  const ClusterPlan plan = plan_cluster(test::cluster(cluster), {});
  const auto index = plan.snapshot->find_node(node);
  return explain(plan, plan.services.front(),
                 {.node = index, .zone = plan.snapshot->nodes[index.value()].zone});
}

constexpr const char* kFourInThree =
    "node n1 a 4; node n2 b 4; node n3 c 4; service s/web Auto distribution=PreferClose;"
    "endpoint n1 x2; endpoint n2; endpoint n3; endpoint n3 !ready";

TEST(Explain, TellsTheChainTheDecisionAndTheNodesPart) {
  const Explanation got = explain_first(kFourInThree, "n2");
  EXPECT_EQ(got.policy_chain[0].reason, Reason::PolicyFromTopologyAnnotation);
  EXPECT_EQ(got.policy_chain[1].reason, Reason::OverriddenByStrongerSetting);
  EXPECT_EQ(got.decisions.front().reason, Reason::OverloadTooHigh);
  EXPECT_EQ(got.on_node.front().reason, Reason::ClusterWide);
}

TEST(Explain, TellsWhatIsPublishedWhereThatIsNotThePlan) {
  const Explanation got = explain_first(
      "node n1 a 4; node n2 b 4; service s/web balanced; endpoint n1; endpoint n2", "n1");
  ASSERT_TRUE(got.on_node_now) << "the slices carry neither hints nor a split";
  EXPECT_EQ(got.on_node_now->front().reason, Reason::ClusterWide);
  EXPECT_EQ(got.on_node.front().reason, Reason::UsesSplit);
  EXPECT_EQ(got.endpoints[0].share, 1);
  EXPECT_EQ(got.endpoints[0].share_now, 0.5);
  EXPECT_EQ(got.endpoints[1].share_now, 0.5);
}

TEST(Explain, TellsOnceWhatIsPublishedAsPlanned) {
  const Explanation got = explain_first(
      "node n1 a 4; node n2 b 4; service s/web PreferClose; endpoint n1 hint=a; endpoint n2 hint=b",
      "n1");
  EXPECT_FALSE(got.on_node_now);
  EXPECT_EQ(got.endpoints[0].share_now, 1);
}

TEST(Explain, TellsWhichEndpointsAreUsedInAPanic) {
  const std::string nine =
      "endpoint n1; endpoint n1 x2 !ready; endpoint n2 x4 !ready; endpoint n2 x2";
  const Explanation ready =
      explain_first("node n1 a 4; node n2 b 4; service s/web zone-aware; " + nine, "n1");
  EXPECT_EQ(ready.on_node.front().reason, Reason::ClusterWide);
  EXPECT_EQ(ready.decisions.front().reason, Reason::ZoneAwareUpstreamPanic);
  for (const ExplainedEndpoint& one : ready.endpoints)
    EXPECT_NEAR(one.share, one.why.reason == Reason::EndpointNotReady ? 0 : 1.0 / 3, 1e-12);
  const Explanation all =
      explain_first("node n1 a 4; node n2 b 4; service s/web zone-aware panic=all; " + nine, "n1");
  EXPECT_EQ(all.on_node.front().reason, Reason::ZoneAwarePanicUsesAll);
  for (const ExplainedEndpoint& one : all.endpoints) EXPECT_NEAR(one.share, 1.0 / 9, 1e-12);
}

TEST(Explain, GivesEveryEndpointItsShareAndItsReason) {
  const Explanation got = explain_first(kFourInThree, "n2");
  ASSERT_EQ(got.endpoints.size(), 5U);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(got.endpoints[i].share, 0.25);
  EXPECT_EQ(got.endpoints[4].share, 0);
  EXPECT_EQ(got.endpoints[4].why.reason, Reason::EndpointNotReady);
  EXPECT_NEAR(got.endpoints[0].load, 1, 1e-12);
}

TEST(Explain, FindsWhatWouldChangeItByPlanningAgain) {
  const Explanation got = explain_first(kFourInThree, "n2");
  const auto find = [&](const std::string& change) {
    return std::find_if(got.what_if.begin(), got.what_if.end(),
                        [&](const WhatIf& one) { return one.change == change; });
  };
  const auto balanced = find("policy balanced with overload 20%");
  ASSERT_NE(balanced, got.what_if.end());
  EXPECT_NEAR(balanced->local, 0.9333, 1e-4);
  const auto same_zone = find("policy prefer-same-zone");
  ASSERT_NE(same_zone, got.what_if.end());
  EXPECT_NEAR(same_zone->worst_overload, 1.0 / 3, 1e-9);
  EXPECT_EQ(find("policy auto"), got.what_if.end()) << "that is what it has";
  EXPECT_EQ(find("one more endpoint in b"), got.what_if.end()) << "five are refused as well";
  EXPECT_TRUE(
      std::is_sorted(got.what_if.begin(), got.what_if.end(),
                     [](const auto& x, const auto& y) { return x.local > y.local + 1e-3; }));
}

TEST(Explain, SeesThatOneMoreEndpointHelps) {
  const Explanation got = explain_first(
      "node n1 a 4; node n2 b 4; node n3 c 4; service s/web Auto; endpoint n1; endpoint n2", "n1");
  EXPECT_EQ(got.decisions.front().reason, Reason::TooFewEndpoints);
  ASSERT_FALSE(got.what_if.empty());
  const bool helps = std::any_of(got.what_if.begin(), got.what_if.end(), [](const WhatIf& one) {
    return one.change == "one more endpoint in c" && one.local > 0.999;
  });
  EXPECT_TRUE(helps);
}

}  // namespace
}  // namespace proxima::plan
