// SPDX-License-Identifier: Apache-2.0
#include "core/plan/conditions.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

TEST(Conditions, SayWhetherADistributionIsAcceptedAndProgrammed) {
  const struct {
    const char* name;
    const char* service;
    const char* accepted;
    const char* accepted_reason;
    const char* programmed;
    const char* programmed_reason;
  } rows[] = {
      {"hints", "service s/web PreferClose; endpoint n1; endpoint n2; endpoint n3", "True",
       "PolicyFromTrafficDistribution", "True", "SameZone"},
      {"hints, and a zone without an endpoint",
       "service s/web PreferClose; endpoint n1; endpoint n2", "True",
       "PolicyFromTrafficDistribution", "True", "SameZoneNotEverywhere"},
      {"a split", "service s/web balanced; endpoint n1; endpoint n2", "True",
       "PolicyFromServiceAnnotation", "True", "BalancedSpill"},
      {"nothing asked for", "service s/web; endpoint n1", "True", "NothingSaid", "True",
       "ClusterWide"},
      {"a value nobody knows", "service s/web distribution=PreferMoon; endpoint n1", "False",
       "UnknownTrafficDistribution", "False", "UnknownTrafficDistribution"},
      {"a setting nobody knows",
       "service s/web PreferClose overload=lots; endpoint n1 x4; "
       "endpoint n2; endpoint n3",
       "False", "InvalidOverload", "True", "SameZone"},
      {"auto that refuses", "service s/web Auto; endpoint n1 x4", "True",
       "PolicyFromTopologyAnnotation", "False", "OverloadTooHigh"},
      {"nobody ready", "service s/web balanced; endpoint n1 !ready", "True",
       "PolicyFromServiceAnnotation", "False", "NoneReady"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto plan = plan_cluster(test::cluster(test::kThreeZones + std::string(row.service)), {});
    const auto got = service_conditions(plan, plan.services.front());
    EXPECT_EQ(got[0].type, "proxima.io/TrafficDistributionAccepted");
    EXPECT_EQ(to_text(got[0].status), row.accepted);
    EXPECT_EQ(got[0].reason, row.accepted_reason);
    EXPECT_EQ(got[1].type, "proxima.io/TrafficDistributionProgrammed");
    EXPECT_EQ(to_text(got[1].status), row.programmed);
    EXPECT_EQ(got[1].reason, row.programmed_reason);
    EXPECT_EQ(to_text(got[2].status), "Unknown") << "nobody has reported from the data plane";
  }
}

TEST(Conditions, SayThatAFeatureGateIsOff) {
  PlanOptions options;
  options.defaults.gates.service_traffic_distribution = false;
  const auto plan = plan_cluster(
      test::cluster(test::kThreeZones + std::string("service s/web PreferClose; endpoint n1")),
      options);
  const auto got = service_conditions(plan, plan.services.front());
  for (const int i : {0, 1}) {
    EXPECT_EQ(to_text(got[i].status), "False");
    EXPECT_EQ(got[i].reason, "FeatureGateOff");
    EXPECT_NE(got[i].message.find("ServiceTrafficDistribution"), std::string::npos);
  }
}

TEST(Conditions, SayWhetherNodesFollowThePlan) {
  using std::chrono::seconds;
  const struct {
    const char* name;
    PlanFollowing following;
    const char* status;
    const char* reason;
    const char* message;
  } rows[] = {
      {"nobody reports",
       {.nodes = 3},
       "Unknown",
       "NoNodeReports",
       "no node reports what it routes"},
      {"every node follows",
       {.nodes = 3, .following = 3, .reporting = 3},
       "True",
       "PlanFollowed",
       "every ready node routes by the published plan"},
      {"every node follows, and traffic was counted",
       {.nodes = 3,
        .following = 3,
        .reporting = 3,
        .connections = 1200,
        .local_share = 0.8449,
        .planned_local_share = 0.861},
       "True",
       "PlanFollowedMeasured",
       "every ready node routes by the published plan; 84% of 1200 connections stayed in their "
       "zone (86% planned)"},
      {"a node is behind",
       {.plan = 412,
        .nodes = 60,
        .following = 58,
        .reporting = 60,
        .lag = PlanFollowing::Lag::Behind,
        .lagging_node = "node-7",
        .lagging_for = seconds(4)},
       "False",
       "NodesBehind",
       "58 of 60 nodes follow plan 412; node-7 is 4 s behind"},
      {"a node is silent",
       {.plan = 412,
        .nodes = 60,
        .following = 59,
        .reporting = 59,
        .lag = PlanFollowing::Lag::Silent,
        .lagging_node = "node-7",
        .lagging_for = seconds(90)},
       "Unknown",
       "NodesNotReporting",
       "59 of 60 nodes follow plan 412; node-7 has not reported for 90 s"},
      {"a node cannot read the plan",
       {.plan = 412,
        .nodes = 60,
        .following = 59,
        .reporting = 60,
        .lag = PlanFollowing::Lag::CannotRead,
        .lagging_node = "node-7"},
       "False",
       "NodesCannotReadPlan",
       "59 of 60 nodes follow plan 412; node-7 cannot read it and routes by hints alone"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const ServiceCondition got = honored_condition(&row.following);
    EXPECT_EQ(got.type, "proxima.io/TrafficDistributionHonored");
    EXPECT_EQ(to_text(got.status), row.status);
    EXPECT_EQ(got.reason, row.reason);
    EXPECT_EQ(got.message, row.message);
  }
}

}  // namespace
}  // namespace proxima::plan
