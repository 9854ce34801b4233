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
    const auto got = service_conditions(plan, plan.services.front(), DataPlaneReport::None);
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
  const auto got = service_conditions(plan, plan.services.front(), DataPlaneReport::None);
  for (const int i : {0, 1}) {
    EXPECT_EQ(to_text(got[i].status), "False");
    EXPECT_EQ(got[i].reason, "FeatureGateOff");
    EXPECT_NE(got[i].message.find("ServiceTrafficDistribution"), std::string::npos);
  }
}

TEST(Conditions, AreHonoredOnlyWhenEveryProxySaysSo) {
  const auto plan = plan_cluster(test::cluster("node n1 a 1; service s/web; endpoint n1"), {});
  const auto status = [&](DataPlaneReport report) {
    return service_conditions(plan, plan.services.front(), report)[2].status;
  };
  EXPECT_EQ(status(DataPlaneReport::AllApplied), ConditionStatus::True);
  EXPECT_EQ(status(DataPlaneReport::SomeBehind), ConditionStatus::False);
}

}  // namespace
}  // namespace proxima::plan
