// SPDX-License-Identifier: Apache-2.0
// One explanation as people and as programs read it.
#include <gtest/gtest.h>

#include "cli/explain_text.h"
#include "report/explain_document.h"
#include "support/cluster.h"
#include "support/golden.h"

namespace proxima::cli {
namespace {

struct Story {
  plan::ClusterPlan plan;
  plan::From from;
  plan::Explanation explanation;
};

Story story(std::string_view notation, std::string_view node, std::string_view zone) {
  const auto snapshot = test::cluster(notation);
  plan::ClusterPlan plan = plan::plan_cluster(snapshot, {});
  plan::From from{snapshot->find_node(node), snapshot->find_zone(zone)};
  plan::Explanation explanation = plan::explain(plan, plan.services.front(), from);
  return {std::move(plan), from, std::move(explanation)};
}

constexpr std::string_view kCart =
    "node n1 a 4; node n2 b 2; node n3 c 2\n"
    "service shop/cart balanced overload=lots; endpoint n1 x2 pod=cart; endpoint n2; endpoint n2 "
    "!ready\n";

TEST(ExplainRendering, TellsTheStoryFromANode) {
  const Story s = story(kCart, "n3", "c");
  test::expect_golden("cli/golden/explain.txt", explain_text(s.plan, s.explanation, s.from, {}));
}

TEST(ExplainRendering, TellsWhatIsPublishedNowBesideThePlan) {
  const Story s = story(
      "node n1 a 4; node n2 b 4; service shop/cart balanced; endpoint n1; endpoint n2", "n1", "a");
  const std::string text = explain_text(s.plan, s.explanation, s.from, {});
  for (const char* part : {"\n  Now: 50% stays in a, 50% goes to b.\n",
                           "\n  Once the plan is published: 100% stays in a.\n",
                           "\nWhat this node does now, by the published slices\n",
                           "\nWhat this node does once the plan is published\n", "\n  NOW  SHARE "})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

TEST(ExplainRendering, ShowsOnlyTheFirstOfManyEndpointsUnlessAskedForAll) {
  const Story s = story("node n1 a 4; service shop/cart; endpoint n1 x30", "", "a");
  const std::string usual = explain_text(s.plan, s.explanation, s.from, {});
  EXPECT_NE(usual.find("\nEndpoints used: 30 of 30\n"), std::string::npos) << usual;
  EXPECT_NE(usual.find("  … and 10 more (-o wide shows all)\n"), std::string::npos) << usual;
  const std::string all = explain_text(s.plan, s.explanation, s.from, {.endpoints = Width::Wide});
  EXPECT_EQ(all.find("more (-o wide"), std::string::npos);
}

TEST(ExplainRendering, SaysWhenTrafficIsRejected) {
  const Story s = story(
      "node n1 a 4; node n2 b 4; service shop/cart topology-keys keys=kubernetes.io/hostname; "
      "endpoint n1",
      "n2", "b");
  const std::string text = explain_text(s.plan, s.explanation, s.from, {});
  EXPECT_NE(text.find("shop/cart over IPv4, from n2 in b\n  100% is rejected.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  broken    "), std::string::npos) << text;
  EXPECT_NE(text.find("\nEndpoints used: 0 of 1\n  none\n"), std::string::npos) << text;
}

TEST(ExplainRendering, TellsWhichPublishedHintsAreNotThePlans) {
  const Story s = story(
      "node n1 a 4; node n2 b 4; service shop/cart PreferSameNode; "
      "endpoint n1 hint=a node-hint=n1; endpoint n1 hint=b node-hint=n2,gone pod=cart; endpoint n2",
      "n1", "a");
  const std::string text = explain_text(s.plan, s.explanation, s.from, {});
  const std::string expected =
      "\nPublished: 2 of 3 ready endpoints differ from the plan\n"
      "  ADDRESS   POD   PUBLISHED FOR         PLANNED FOR\n"
      "  10.1.0.3  cart  b; node n2, ?         a; node n1\n"
      "  10.1.0.4  -     nobody in particular  b; node n2\n";
  EXPECT_NE(text.find(expected), std::string::npos) << text;
  const std::string json =
      report::explain_document(s.plan, s.explanation, s.from, report::DocumentFormat::Json);
  EXPECT_NE(json.find("\"equalsPlan\": false"), std::string::npos);
  EXPECT_NE(json.find("\"compared\": 3"), std::string::npos);
}

TEST(ExplainRendering, SaysNothingOfWhatNobodyPublished) {
  const Story s = story("node n1 a 4; service shop/cart PreferClose", "n1", "a");
  EXPECT_EQ(explain_text(s.plan, s.explanation, s.from, {}).find("Published"), std::string::npos);
  EXPECT_NE(report::explain_document(s.plan, s.explanation, s.from, report::DocumentFormat::Json)
                .find("\"published\": null"),
            std::string::npos);
}

TEST(ExplainRendering, AsJson) {
  const Story s = story("node n1 a 4; service shop/web; endpoint n1", "n1", "a");
  test::expect_golden(
      "cli/golden/explain.json",
      report::explain_document(s.plan, s.explanation, s.from, report::DocumentFormat::Json));
}

}  // namespace
}  // namespace proxima::cli
