// SPDX-License-Identifier: Apache-2.0
#include "controller/debug_plan.h"

#include <gtest/gtest.h>

namespace proxima::controller {
namespace {

TEST(DebugPlan, ShowsDecisionsAndWhatWouldBeWritten) {
  DecisionEntry entry;
  slices::FamilyDecision family;
  family.reason = policy::Reason::ClusterWide;
  family.sentence = "every ready endpoint is used alike, wherever it is";
  family.local_share = 0.93;
  family.zones = {{.zone = "a", .endpoints = 1, .demand = 1, .predicted_overload = 0.125}};
  entry.decision.families = {family};
  entry.decision.conditions = {{"proxima.io/A", plan::ConditionStatus::True, "Fine", "why"}};
  entry.endpoints = 1;
  entry.slices = 1;
  entry.error = "not now";
  entry.shadow = {{SliceOperation::Update, "web-1", R"({"kind":"EndpointSlice"})"},
                  {SliceOperation::Delete, "web-2", ""}};
  DecisionBook book;
  book.put("shop/web", std::move(entry));
  EXPECT_EQ(
      render_decisions(book.all()),
      R"({"services":[{"service":"shop/web","accepted":true,"dependsOnNodes":false,"endpoints":1,)"
      R"("slices":1,"families":[{"addressType":"IPv4","policy":"cluster-wide",)"
      R"("reason":"cluster_wide",)"
      R"("sentence":"every ready endpoint is used alike, wherever it is","hinted":false,)"
      R"("localShare":0.93,"zones":[{"zone":"a","endpoints":1,"hinted":0,"demand":1,)"
      R"("localShare":0,"predictedOverload":0.125}]}],"conditions":[{"type":"proxima.io/A",)"
      R"("status":"True","reason":"Fine","message":"why"}],"error":"not now","wouldWrite":[)"
      R"({"operation":"update","name":"web-1","object":{"kind":"EndpointSlice"}},)"
      R"({"operation":"delete","name":"web-2"}]}]})");
}

}  // namespace
}  // namespace proxima::controller
