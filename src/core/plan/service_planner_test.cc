// SPDX-License-Identifier: Apache-2.0
#include "core/plan/service_planner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "core/plan/traffic.h"
#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::Reason;

ClusterPlan planned(const std::string& cluster) { return plan_cluster(test::cluster(cluster), {}); }

// "1>2 1>3": zones of endpoints that are lent, and whom to.
std::string lent(const ClusterPlan& plan) {
  const ServicePlan& service = plan.services.front();
  std::string out;
  for (std::uint32_t e = 0; e < service.planned; ++e) {
    const auto own = plan.snapshot->endpoints[service.endpoints.begin + e].zone;
    const auto hint = plan.hints[service.endpoints.begin + e].zone;
    if (!hint || hint == own) continue;
    out += (out.empty() ? "" : " ") + std::string(plan.snapshot->zone_name(own)) + ">" +
           std::string(plan.snapshot->zone_name(hint));
  }
  return out;
}

// Namespaces are a border: a tenant must not move another's demand with a workload of the same
// name.
TEST(ClientDemand, OfANameAloneIsThatOfTheServicesOwnNamespace) {
  const ClusterPlan plan = planned(
      "node n1 a 1; node n2 b 1; pod s/f1 n1 owner=Deployment/front;"
      "pod t/f1 n2 owner=Deployment/front; pod t/f2 n2 owner=Deployment/front;"
      "pod t/d1 n2 owner=DaemonSet/front;"
      "service s/bare balanced demand=clients=front; endpoint n1; endpoint n2;"
      "service s/kind balanced demand=clients=DaemonSet/front; endpoint n1; endpoint n2;"
      "service s/other balanced demand=clients=t/Deployment/front; endpoint n1; endpoint n2;");
  const auto demand = [&](std::size_t service) {
    return plan.demands[plan.services[service].demand].by_place;
  };
  EXPECT_EQ(demand(0), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(demand(1), (std::vector<double>{0.5, 0.5, 0})) << "nobody there: unknown";
  EXPECT_EQ(demand(2), (std::vector<double>{0, 1, 0})) << "another namespace is named in full";
}

TEST(AutoPlan, LendsWithinARegionBeforeItLendsToAnother) {
  const char* regions =
      "node n1 z1 4 region=r1; node n2 z2 4 region=r1; node n3 z3 4 region=r2;"
      "node n4 z4 4 region=r2; service s/web Auto;";
  EXPECT_EQ(lent(planned(std::string(regions) + "endpoint n1 x4; endpoint n4 x4")),
            "z1>z2 z1>z2 z4>z3 z4>z3");
  // One of r1 has to leave it, whichever slice comes first.
  EXPECT_EQ(lent(planned(std::string(regions) + "endpoint n4 x2; endpoint n1 x4; endpoint n2 x2")),
            "z1>z3 z1>z3");
  EXPECT_EQ(lent(planned("node n1 z1 4; node n2 z2 4; node n3 z3 4; node n4 z4 4;"
                         "service s/web Auto; endpoint n1 x4; endpoint n4 x4")),
            "z1>z2 z1>z3 z4>z2 z4>z3")
      << "without regions, as upstream";
}

TEST(AutoPlan, LendsEndpointsOfZonesWhereNoTrafficStarts) {
  const ClusterPlan plan = planned(
      "node n1 a 4; node n2 b 4; node n3 c 4 control-plane; service s/web Auto;"
      "endpoint n1 x2; endpoint n2 x2; endpoint n3 x2");
  EXPECT_EQ(lent(plan), "c>a c>b");
  EXPECT_NEAR(predict_traffic(plan, plan.services.front()).worst_overload, 0, 1e-9);
}

// Whatever is refused or allotted, no zone where traffic starts is overloaded beyond the threshold.
TEST(AutoPlan, KeepsEveryZoneWithinItsThreshold) {
  const char* given = std::getenv("PROXIMA_SEED");
  const unsigned seed =
      given == nullptr ? 1 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
  std::mt19937 random(seed);
  int hinted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string cluster;
    for (int n = 0; n < 6; ++n) {
      cluster += "node n" + std::to_string(n) + " " + std::string(1, "abcd"[random() % 4]) + " " +
                 std::to_string(1 + random() % 8) + (random() % 5 == 0 ? " control-plane" : "") +
                 (random() % 2 == 0 ? " region=r1;" : ";");
    }
    cluster += "service s/web Auto;";
    for (int n = 0; n < 6; ++n)
      cluster += "endpoint n" + std::to_string(n) + " x" + std::to_string(1 + random() % 6) + ";";
    const ClusterPlan plan = planned(cluster);
    const ServicePlan& service = plan.services.front();
    if (!service.hinted) continue;
    ++hinted;
    ASSERT_LE(predict_traffic(plan, service).worst_overload, 0.2 + 1e-9)
        << "PROXIMA_SEED=" << seed << " round " << round << ": " << cluster;
  }
  EXPECT_GT(hinted, 500);
}

TEST(AutoPlan, FollowsTheThresholdsOfTheService) {
  const std::string four = "endpoint n1 x2; endpoint n2; endpoint n3";
  const std::string nodes = "node n1 a 4; node n2 b 4; node n3 c 4; service s/web Auto ";
  EXPECT_FALSE(planned(nodes + ";" + four).services.front().hinted) << "a third is too much";
  EXPECT_TRUE(planned(nodes + "auto-start=50%;" + four).services.front().hinted);
  const ClusterPlan refused = planned(nodes + "auto-start=inf;" + four);
  EXPECT_FALSE(refused.services.front().hinted);
  EXPECT_FALSE(refused.services.front().accepted);
}

TEST(AutoPlan, AllotsByWeightWhereEndpointsDiffer) {
  const std::string nodes = "node n1 a 4; node n2 b 4; service s/web Auto;";
  // By number zone a has too many: one would be lent. By weight it has just its share.
  const ClusterPlan plan = planned(nodes + "endpoint n1 x4; endpoint n2 x2 weight=2");
  EXPECT_TRUE(plan.services.front().hinted);
  EXPECT_EQ(lent(plan), "");
  EXPECT_NEAR(predict_traffic(plan, plan.services.front()).worst_overload, 0, 1e-9);
  EXPECT_EQ(lent(planned(nodes + "endpoint n1 x4; endpoint n2 x2")), "a>b");
  // Alike in number, and one of the strong ones makes up for the weight.
  const ClusterPlan uneven = planned(nodes + "endpoint n1 x2 weight=9; endpoint n2 x2");
  EXPECT_EQ(lent(uneven), "a>b");
  const ClusterPlan refused = planned(nodes + "endpoint n1 weight=9; endpoint n2");
  EXPECT_FALSE(refused.services.front().hinted);
  EXPECT_EQ(refused.services.front().why.reason, Reason::OverloadTooHigh);
}

TEST(PreferSameZonePlan, DividesAZonesTrafficByWeight) {
  const ClusterPlan plan = planned(
      "node n1 a 4; node n2 b 4; service s/web PreferClose; endpoint n1 weight=3; endpoint n1;"
      "endpoint n2");
  const auto shares =
      shares_from_zone(plan, plan.services.front(), plan.snapshot->find_zone("a")).share;
  EXPECT_EQ(shares, (std::vector<double>{0.75, 0.25, 0}));
}

TEST(ZoneAwarePlan, IgnoresZonesWhileTooFewClientsAreReady) {
  const auto clients = [](const char* unready) {
    return std::string(
               "node n1 a 4; node n2 b 4; service s/web zone-aware demand=clients=front;"
               "endpoint n1 x4; endpoint n2 x4;") +
           "pod s/front-1 n1 owner=Deployment/front; pod s/front-2 n2 owner=Deployment/front;"
           "pod s/front-3 n1 owner=Deployment/front " +
           unready + "; pod s/front-4 n2 owner=Deployment/front " + unready +
           "; pod s/front-5 n2 owner=Deployment/front " + unready + ";";
  };
  EXPECT_TRUE(planned(clients("")).services.front().hinted);
  const ClusterPlan panic = planned(clients("!ready"));
  EXPECT_EQ(panic.services.front().why.reason, Reason::ZoneAwareOriginatingPanic);
  EXPECT_FALSE(panic.services.front().hinted);
  EXPECT_NEAR(predict_traffic(panic, panic.services.front()).local, 0.5, 1e-9);
}

TEST(BalancedPlan, SaysThatThereAreNoZones) {
  const ClusterPlan plan =
      planned("node n1 - 4; node n2 - 4; service s/web balanced; endpoint n1; endpoint n2");
  EXPECT_EQ(plan.services.front().why.reason, Reason::NoZones);
  EXPECT_FALSE(plan.services.front().hinted);
  EXPECT_LT(plan.services.front().split, 0);
}

TEST(ClientDemand, CountsTheWorkloadOfTheServicesOwnNamespace) {
  const ClusterPlan plan = planned(
      "node n1 a 4; node n2 b 4;"
      "service s/web balanced demand=clients=front; endpoint n1; endpoint n2;"
      "service t/web balanced demand=clients=front; endpoint n1; endpoint n2;"
      "service u/web balanced demand=clients=s/Deployment/front; endpoint n1; endpoint n2;"
      "pod s/front-1 n1 owner=Deployment/front; pod t/front-1 n2 owner=Deployment/front;"
      "pod s/front-2 n2 owner=StatefulSet/front;");
  const auto from_a = [&](std::size_t service) {
    return plan.demands[plan.services[service].demand].by_place[0];
  };
  EXPECT_EQ(from_a(0), 1);
  EXPECT_EQ(from_a(1), 0);
  EXPECT_EQ(from_a(2), 1);
}

}  // namespace
}  // namespace proxima::plan
