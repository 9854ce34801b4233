// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/plan/decisions.h"
#include "core/plan/published_routing.h"
#include "core/plan/traffic.h"
#include "core/plan/zone_split.h"
#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::Reason;

constexpr const char* kRegions =
    "node n1 a 4 region=r1; node n2 b 4 region=r1; node n3 c 4 region=r2;";

PlanOptions at_noon() {
  PlanOptions options;
  options.now = *parse_time("2026-03-01T12:00:00.5Z");
  return options;
}

struct RequiredRow {
  const char* name;
  std::string cluster;
  const char* split;
  const char* routing;
  Reason why;
  double rejected;
};

TEST(RequiredZones, KeepTrafficOrRejectItOrFailOver) {
  const std::string two = "endpoint n1 x2; endpoint n2; endpoint n3 ";
  const RequiredRow rows[] = {
      {"every zone has endpoints", two, "a=a:1000;b=b:1000;c=c:1000", "v1|zone=required",
       Reason::RequiredZoneKept, 0},
      {"one has none", "endpoint n1; endpoint n2 !ready; endpoint n3", "a=a:1000;b=none;c=c:1000",
       "v1|zone=required", Reason::RequiredZoneRejects, 1.0 / 3},
      {"nobody is ready", "endpoint n1 !ready", "", "v1|zone=required", Reason::NoneReady, 1},
      {"one has none and a budget, its region first",
       "failover=for=10m; endpoint n1; endpoint n2 !ready; endpoint n3",
       "a=a:1000;b=a:1000;c=c:1000",
       "v1|zone=required|failover=b@2026-03-01T12:00:00Z|rest=b=a:1000", Reason::ZoneFailsOver, 0},
      {"nobody in the region is ready", "failover=min-endpoints=1; endpoint n1; endpoint n2",
       "a=a:1000;b=b:1000;c=a:500,b:500",
       "v1|zone=required|failover=c@2026-03-01T12:00:00Z|rest=c=a:500,b:500", Reason::ZoneFailsOver,
       0},
      {"too few, by the weights of the others",
       "failover=min-endpoints=2; endpoint n1 x2 weight=2; endpoint n2; endpoint n3 x2",
       "a=a:1000;b=a:800,b:200;c=c:1000",
       "v1|weight=2*2,1*3|zone=required|failover=b@2026-03-01T12:00:00Z|rest=b=a:800,b:200",
       Reason::ZoneFailsOver, 0},
  };
  for (const RequiredRow& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string service = std::string(kRegions) + "service s/web require-zone ";
    const bool says = row.cluster.starts_with("failover");
    const ClusterPlan plan =
        plan_cluster(test::cluster(service + (says ? "" : "; ") + row.cluster), at_noon());
    const ServicePlan& made = plan.services.front();
    EXPECT_EQ(render(zone_split(plan, made)), row.split);
    EXPECT_EQ(render(PublishedRouting(plan, made).of(0, made.endpoints.size)), row.routing);
    EXPECT_EQ(policy::text_of(made.why.reason).code, policy::text_of(row.why).code);
    EXPECT_NEAR(predict_traffic(plan, made).rejected, row.rejected, 1e-9);
  }
}

TEST(RequiredZones, StateTheCostOfAFailover) {
  const ClusterPlan plan = plan_cluster(
      test::cluster(
          std::string(kRegions) +
          "service s/web require-zone failover=min-endpoints=1; endpoint n1; endpoint n2"),
      at_noon());
  EXPECT_EQ(policy::sentence(plan.services.front().why),
            "zone c has 0 ready endpoints and needs 1, so its traffic uses other zones, too, its "
            "region first: 33.3% of the Service's traffic crosses zones, which costs 0.667 per "
            "unit of traffic");
}

TEST(RequiredZones, NameEveryZoneThatRejectsAndWhatHintsCannotSay) {
  const ClusterPlan plan = plan_cluster(
      test::cluster(std::string(kRegions) +
                    "node n4 - 4; service s/web require-zone; endpoint n1; endpoint n4"),
      {});
  std::string told;
  for (const policy::Note& note : decisions_of(plan, plan.services.front()))
    told += std::string(policy::text_of(note.reason).code) + ":" + std::string(note.subject) + " ";
  EXPECT_EQ(told,
            "required_zone_rejects:b hints_cannot_reject:b required_zone_rejects:c "
            "hints_cannot_reject:c required_zone_unknown: unplaced_endpoints: unplaced_nodes: ");
}

TEST(RequiredZones, GiveZonesWithoutTrafficARowButNoBudget) {
  const ClusterPlan plan =
      plan_cluster(test::cluster("node n1 a 4; node n2 b 4 !ready; service s/web require-zone "
                                 "failover=for=10m; endpoint n1"),
                   at_noon());
  EXPECT_EQ(render(zone_split(plan, plan.services.front())), "a=a:1000;b=a:1000");
  EXPECT_EQ(plan.services.front().failing.size, 0U);
  EXPECT_EQ(plan.services.front().why.reason, Reason::RequiredZoneKept);
}

}  // namespace
}  // namespace proxima::plan
