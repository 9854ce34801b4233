// SPDX-License-Identifier: Apache-2.0
#include "core/plan/demand.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::DemandSetting;
using policy::DemandSource;
using policy::Reason;

constexpr const char* kDemandNodes =
    "node n1 a 6; node n2 b 1; node n3 b 1; node n4 c 8 !ready; node n5 c 8 control-plane;"
    "pod ns/web-1 n1 owner=Deployment/web; pod ns/web-2 n2 owner=Deployment/web;"
    "pod ns/web-3 n2 owner=Deployment/web !ready; pod other/web-4 n3 owner=Deployment/web;"
    "pod ns/db-0 n3 owner=StatefulSet/db; pod ns/lone n1;"
    "pod ns/web-v2-0 n3 owner=StatefulSet/web-v2;";

std::vector<double> shares(const DemandSetting& setting,
                           const std::map<std::string, double>& measured = {}) {
  return plan_demand(*test::cluster(kDemandNodes), setting, measured).by_place;
}

TEST(Demand, FollowsItsSource) {
  const struct {
    const char* name;
    DemandSetting setting;
    std::vector<double> by_place;  // a, b, c, no zone
  } rows[] = {
      {"allocatable CPU of ready workers", {DemandSource::Cpu}, {0.75, 0.25, 0, 0}},
      {"number of ready workers", {DemandSource::Nodes}, {1.0 / 3, 2.0 / 3, 0, 0}},
      {"ready clients of a Deployment in one namespace",
       {DemandSource::Clients, "ns/Deployment/web"},
       {0.5, 0.5, 0, 0}},
      {"of a Deployment with the same name in another",
       {DemandSource::Clients, "other/Deployment/web"},
       {0, 1, 0, 0}},
      {"of a StatefulSet", {DemandSource::Clients, "ns/StatefulSet/db"}, {0, 1, 0, 0}},
      {"of a bare Pod", {DemandSource::Clients, "ns/Pod/lone"}, {1, 0, 0, 0}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto got = shares(row.setting);
    ASSERT_EQ(got.size(), row.by_place.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], row.by_place[i], 1e-12);
  }
}

TEST(Demand, TakesMeasuredNumbersAsGiven) {
  const auto got = shares({DemandSource::Measured}, {{"a", 30}, {"b", 10}, {"nowhere", 99}});
  EXPECT_NEAR(got[0], 0.75, 1e-12);
  EXPECT_NEAR(got[1], 0.25, 1e-12);
}

TEST(Demand, TakesWhatNodesSayThatStartsOnThem) {
  const auto demand = plan_demand(
      *test::cluster("node n1 a 6 traffic=10; node n2 b 1 traffic=20.5; node n3 b 1 traffic=9.5;"
                     "node n4 c 8 !ready traffic=99; node n5 b 1"),
      {DemandSource::Measured}, {});
  EXPECT_TRUE(demand.notes.empty());
  EXPECT_NEAR(demand.by_place[0], 0.25, 1e-12);
  EXPECT_NEAR(demand.by_place[1], 0.75, 1e-12);
  EXPECT_NEAR(demand.by_node[1], 20.5 / 40, 1e-12);
  EXPECT_EQ(demand.by_node[4], 0);
  EXPECT_EQ(demand.units[0], 10'000U);
}

TEST(Demand, IsEvenOverTheZonesWhenNothingIsKnown) {
  EXPECT_EQ(
      plan_demand(*test::cluster(kDemandNodes), {DemandSource::Measured}, {}).notes.front().reason,
      Reason::DemandUnknown);
  const auto demand =
      plan_demand(*test::cluster(kDemandNodes), {DemandSource::Clients, "nobody"}, {});
  ASSERT_FALSE(demand.notes.empty());
  EXPECT_EQ(demand.notes.front().reason, Reason::DemandUnknown);
  for (int zone = 0; zone < 3; ++zone) EXPECT_NEAR(demand.by_place[zone], 1.0 / 3, 1e-12);
}

TEST(Demand, IsUnknownWhereTheSumIsNoNumber) {
  const struct {
    const char* name;
    const char* nodes;
    std::map<std::string, double> measured;
  } rows[] = {
      {"a node that says more than a number can hold",
       "node n1 a 1 traffic=1e306; node n2 b 1",
       {}},
      {"nodes that do together", "node n1 a 1 traffic=1e305; node n2 b 1 traffic=1e305", {}},
      {"a zone that was measured so", "node n1 a 1; node n2 b 1", {{"a", 1e306}, {"b", 1}}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto demand =
        plan_demand(*test::cluster(row.nodes), {DemandSource::Measured}, row.measured);
    ASSERT_FALSE(demand.notes.empty());
    EXPECT_EQ(demand.notes.front().reason, Reason::DemandUnknown);
    EXPECT_EQ(demand.by_place, (std::vector<double>{0.5, 0.5, 0}));
  }
}

TEST(Demand, OfAnySizeIsCountedInUnitsThatKeepItsProportions) {
  const auto demand = plan_demand(
      *test::cluster("node n1 a 1 traffic=1e15; node n2 b 1 traffic=3e15; node n3 c 1 traffic=1"),
      {DemandSource::Measured}, {});
  EXPECT_TRUE(demand.notes.empty());
  EXPECT_NEAR(demand.by_place[1], 0.75, 1e-12);
  EXPECT_NEAR(static_cast<double>(demand.units[0]), 0.25e15, 1e3);
  EXPECT_NEAR(static_cast<double>(demand.units[1]), 0.75e15, 1e3);
  EXPECT_EQ(demand.units[2], 0U);
}

TEST(Demand, OfNodesWithoutAZoneFormsAPlaceOfItsOwn) {
  const auto demand =
      plan_demand(*test::cluster("node n1 a 3; node n2 - 1"), {DemandSource::Cpu}, {});
  EXPECT_NEAR(demand.by_place[1], 0.25, 1e-12);
  EXPECT_EQ(demand.notes.front().reason, Reason::UnplacedNodes);
}

TEST(Demand, OfAClusterWithoutNodesIsStillDefined) {
  const auto demand =
      plan_demand(*test::cluster("service s/web; endpoint - zone=a; endpoint - zone=b"), {}, {});
  EXPECT_NEAR(demand.by_place[0] + demand.by_place[1], 1, 1e-12);
}

}  // namespace
}  // namespace proxima::plan
