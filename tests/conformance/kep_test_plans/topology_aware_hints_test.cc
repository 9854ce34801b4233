// SPDX-License-Identifier: Apache-2.0
// The test plan of the proposal for Topology Aware Hints (KEP-2433), each row of its two tables,
// and the safeguards and constraints that its user documentation promises.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "core/plan/cluster_plan.h"
#include "core/plan/traffic.h"
#include "support/cluster.h"

namespace proxima::plan {
namespace {

using model::Snapshot;
using policy::Reason;

constexpr const char* kTwoZones = "node n1 a 4; node n2 b 4;";
constexpr const char* kThreeZones = "node n1 a 4; node n2 b 4; node n3 c 4;";

PlanOptions gate(bool on) {
  PlanOptions options;
  options.defaults.auto_options.enabled = on;
  options.defaults.gates.topology_aware_hints = on;
  return options;
}

// "a b - c": the zone hint of each endpoint.
std::string hints_of(const ClusterPlan& plan) {
  std::string out;
  for (const EndpointHint& hint : plan.hints) {
    const auto zone = hint.zone ? plan.snapshot->zone_name(hint.zone) : "-";
    out += (out.empty() ? "" : " ") + std::string(zone);
  }
  return out;
}

std::string hints_in(const Snapshot& snapshot) {
  std::string out;
  for (const model::Endpoint& endpoint : snapshot.endpoints) {
    const bool hinted = endpoint.zone_hint_count > 0;
    const auto zone =
        hinted ? snapshot.zone_name(model::ZoneIndex(snapshot.hints[endpoint.hints])) : "-";
    out += (out.empty() ? "" : " ") + std::string(zone);
  }
  return out;
}

bool has_hints(const ClusterPlan& plan) { return plan.services.front().hinted; }

std::string endpoints(int count, const std::string& node) {
  return "endpoint " + node + " x" + std::to_string(count) + ";";
}

TEST(ControllerTestPlan, SetsHintsOrNot) {
  const std::string two_each = endpoints(2, "n1") + endpoints(2, "n2");
  const std::string four_zones =
      "node n1 a 4100m; node n2 b 4; node n3 c 3900m; node n4 d 4050m; service s/web Auto;";
  const struct {
    const char* row;
    bool gate_on;
    std::string cluster;
    bool hints;
  } rows[] = {
      {"gate on, PreferZone, 2+ zones", true,
       kTwoZones + std::string("service s/web traffic-policy=PreferZone;") + two_each, true},
      {"gate on, PreferZone, 1 zone", true,
       "node n1 a 4; node n2 a 4; service s/web traffic-policy=PreferZone;" + two_each, false},
      {"gate on, Local, 2+ zones", true,
       kTwoZones + std::string("service s/web traffic-policy=Local;") + two_each, false},
      {"gate on, unset, 2+ zones", true, kTwoZones + std::string("service s/web;") + two_each,
       false},
      {"gate off, PreferZone, 2+ zones", false,
       kTwoZones + std::string("service s/web traffic-policy=PreferZone;") + two_each, false},
      {"gate off, unset, 2+ zones", false, kTwoZones + std::string("service s/web;") + two_each,
       false},
      {"2 endpoints, 3 zones", true,
       kThreeZones + std::string("service s/web Auto;") + endpoints(1, "n1") + endpoints(1, "n2"),
       false},
      {"3 endpoints, 3 zones", true,
       kThreeZones + std::string("service s/web Auto;") + endpoints(3, "n1"), true},
      {"4 endpoints, 3 zones", true, kThreeZones + std::string("service s/web Auto;") + two_each,
       false},
      {"4 endpoints, 2 zones", true, kTwoZones + std::string("service s/web Auto;") + two_each,
       true},
      {"4 endpoints all from 1 zone, 2 zones", true,
       kTwoZones + std::string("service s/web Auto;") + endpoints(4, "n1"), true},
      {"4 endpoints, 3 zones, 1 zone with 2x cores", true,
       "node n1 a 8; node n2 b 4; node n3 c 4; service s/web Auto;" + endpoints(2, "n1") +
           endpoints(1, "n2") + endpoints(1, "n3"),
       true},
      {"400 endpoints, 4 zones with slightly different cores", true,
       four_zones + endpoints(130, "n1") + endpoints(90, "n2") + endpoints(80, "n3") +
           endpoints(100, "n4"),
       true},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.row);
    EXPECT_EQ(has_hints(plan_cluster(test::cluster(row.cluster), gate(row.gate_on))), row.hints);
  }
}

TEST(ControllerTestPlan, RemovingANodeChangesSlicesOnlyAcrossAThreshold) {
  const std::string service =
      "service s/web Auto; endpoint n1 x3 hint=a; endpoint n2 x3 hint=b; endpoint n3 x3 hint=c;";
  // Nine endpoints for three zones of 8 cores each; then zone c loses one core of eight.
  const auto slightly = test::cluster("node n1 a 8; node n2 b 8; node n3 c 7;" + service);
  EXPECT_EQ(hints_of(plan_cluster(slightly, {})), hints_in(*slightly));
  // Then zones b and c shrink to a quarter: zone a now starts two thirds of the traffic.
  const auto greatly = test::cluster("node n1 a 8; node n2 b 2; node n3 c 2;" + service);
  EXPECT_NE(hints_of(plan_cluster(greatly, {})), hints_in(*greatly));
}

TEST(ControllerTestPlan, ANodeWithoutCoresMakesAllNodesEqualWhenSoConfigured) {
  PlanOptions options;
  options.defaults.auto_options.missing = policy::MissingNodeData::OneCore;
  const auto plan = plan_cluster(
      test::cluster(
          "node n1 a 64; node n2 b -; service s/web Auto; endpoint n1 x2; endpoint n2 x2"),
      options);
  EXPECT_EQ(hints_of(plan), "a a b b");
}

TEST(ControllerTestPlan, AddedEndpointsAreRedistributed) {
  const auto snapshot = test::cluster(
      kThreeZones + std::string("service s/web Auto; endpoint n1 hint=a; endpoint n2 hint=b;"
                                "endpoint n3 hint=c; slice; endpoint n1 x3"));
  EXPECT_EQ(hints_of(plan_cluster(snapshot, {})), "a b c b c a");
}

TEST(ControllerTestPlan, RemovedEndpointsAreRedistributed) {
  // Zone c's endpoints went away; what is left is shared out anew.
  const auto snapshot = test::cluster(
      kThreeZones + std::string("service s/web Auto; endpoint n1 x2 hint=a; endpoint n2 hint=b;"));
  EXPECT_EQ(hints_of(plan_cluster(snapshot, {})), "c a b");
}

TEST(ProxyTestPlan, FiltersEndpointsOrNot) {
  const struct {
    const char* row;
    bool gate_on;
    const char* cluster;
    double share_of_first;  // of the endpoint in zone a, for a node of zone a
  } rows[] = {
      {"gate on, PreferZone, hints matching zone", true,
       "node n1 a 4; node n2 b 4; service s/web Auto; endpoint n1; endpoint n2", 1},
      {"gate on, Local, hints matching zone", true,
       "node n1 a 4; node n2 b 4; service s/web Auto internal=Local; endpoint n1 x2; endpoint n2 "
       "x2",
       0.5},
      {"gate off, PreferZone, hints matching zone", false,
       "node n1 a 4; node n2 b 4; service s/web PreferClose; endpoint n1; endpoint n2", 0.5},
      {"gate on, PreferZone, no hints matching zone", true,
       "node n1 a 4; node n2 b 4; node n3 c 4; service s/web PreferClose; endpoint n2; endpoint n3",
       0.5},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.row);
    const auto plan = plan_cluster(test::cluster(row.cluster), gate(row.gate_on));
    const auto node = plan.snapshot->find_node("n1");
    EXPECT_EQ(shares_from_node(plan, plan.services.front(), node).share.front(),
              row.share_of_first);
  }
}

// The user documentation: when any of these does not check out, endpoints anywhere are used.
TEST(Safeguards, FallBackToAllZonesWithTheReason) {
  const struct {
    const char* safeguard;
    std::string cluster;
    Reason planned;
    Reason on_node;
  } rows[] = {
      {"insufficient number of endpoints",
       kThreeZones + std::string("service s/web Auto; endpoint n1; endpoint n2"),
       Reason::TooFewEndpoints, Reason::ClusterWide},
      {"impossible to achieve balanced allocation",
       "node n1 a 8; node n2 b 4; service s/web Auto; endpoint n1; endpoint n2",
       Reason::OverloadTooHigh, Reason::ClusterWide},
      {"a node has insufficient information",
       kTwoZones + std::string("node n3 - 4; service s/web Auto; endpoint n1; endpoint n2"),
       Reason::NodeInformationMissing, Reason::ClusterWide},
      {"an endpoint does not have a zone hint",
       kTwoZones + std::string("node n3 - 4; service s/web PreferClose; endpoint n1; endpoint n3"),
       Reason::EndpointZoneUnknown, Reason::HintsIncomplete},
      {"a zone is not represented in hints",
       kThreeZones + std::string("service s/web PreferClose; endpoint n2; endpoint n3"),
       Reason::SameZoneNotEverywhere, Reason::NoHintForZone},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.safeguard);
    const auto plan = plan_cluster(test::cluster(row.cluster), {});
    const auto& service = plan.services.front();
    EXPECT_EQ(policy::text_of(service.why.reason).code, policy::text_of(row.planned).code);
    const auto shares = shares_from_node(plan, service, plan.snapshot->find_node("n1"));
    EXPECT_EQ(policy::text_of(shares.notes.front().reason).code, policy::text_of(row.on_node).code);
    for (double share : shares.share) EXPECT_EQ(share, 0.5);
  }
}

TEST(Constraints, HintsAreNotUsedForTrafficThatMustStayOnItsNode) {
  const auto plan = plan_cluster(
      test::cluster(kTwoZones + std::string("node n3 a 4; service s/web Auto internal=Local;"
                                            "endpoint n1; endpoint n2")),
      {});
  const auto shares = shares_from_node(plan, plan.services.front(), plan.snapshot->find_node("n3"));
  EXPECT_EQ(shares.share, (std::vector<double>{0, 0}));
  EXPECT_EQ(shares.notes.front().reason, Reason::NoLocalEndpoint);
}

TEST(Constraints, UnreadyNodesDoNotCountForTheProportions) {
  const auto plan = plan_cluster(
      test::cluster("node n1 a 4; node n2 b 4; node n3 b 400 !ready; service s/web Auto;"
                    "endpoint n1 x2; endpoint n2 x2"),
      {});
  EXPECT_EQ(hints_of(plan), "a a b b");
}

TEST(Constraints, ProportionsFollowAllocatableCpu) {
  // One zone has twice the cores of the other, so it gets twice the endpoints.
  const auto plan = plan_cluster(
      test::cluster("node n1 a 2; node n2 b 1; service s/web Auto; endpoint n1 x4; endpoint n2 x2"),
      {});
  EXPECT_EQ(hints_of(plan), "a a a a b b");
}

}  // namespace
}  // namespace proxima::plan
