// SPDX-License-Identifier: Apache-2.0
#include "lab/cluster_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace proxima::lab {
namespace {

ClusterPlan plan() {
  return plan_cluster(
             {.nodes = {{.zone = "a", .pods = 2}, {.zone = "b", .pods = 1}}, .outside_hosts = 2})
      .value();
}

TEST(PlanCluster, NamesEveryHostOnce) {
  std::vector<std::string> names;
  for (const PlannedHost& host : plan().hosts) names.push_back(host.name);
  EXPECT_EQ(names, (std::vector<std::string>{"router", "outside-1", "outside-2", "node-1",
                                             "pod-1-1", "pod-1-2", "node-2", "pod-2-1"}));
}

TEST(PlanCluster, GivesEveryHostAddressesOfItsOwn) {
  std::set<IpAddress> seen;
  for (const PlannedHost& host : plan().hosts) {
    if (host.kind == HostKind::Router) continue;
    EXPECT_TRUE(seen.insert(host.v4).second) << host.name;
    EXPECT_TRUE(seen.insert(host.v6).second) << host.name;
    EXPECT_EQ(host.kind == HostKind::Pod, pod_range(IpFamily::V4).contains(host.v4)) << host.name;
    EXPECT_EQ(host.kind == HostKind::Pod, pod_range(IpFamily::V6).contains(host.v6)) << host.name;
  }
}

TEST(PlanCluster, PodsAreInTheZoneOfTheirNode) {
  for (const PlannedHost& host : plan().hosts) {
    if (host.kind != HostKind::Pod) continue;
    EXPECT_EQ(host.zone, host.node == "node-1" ? "a" : "b") << host.name;
  }
}

TEST(PlanCluster, SendsServiceAddressesToTheFirstNodeAlone) {
  std::size_t routes = 0;
  for (const PlannedCable& planned : plan().cables)
    for (const Route& route : planned.cable.near.routes) {
      if (route.to != service_range(IpFamily::V4)) continue;
      EXPECT_EQ(route.device, "node-1");
      ++routes;
    }
  EXPECT_EQ(routes, 1U);
}

struct UnfitCluster {
  const char* name;
  ClusterShape shape;
};

TEST(PlanCluster, RefusesWhatDoesNotFit) {
  const UnfitCluster rows[] = {
      {"no node", {}},
      {"too many nodes", {.nodes = std::vector<NodeShape>(kNodesMax + 1)}},
      {"too many Pods", {.nodes = {{.zone = "a", .pods = kPodsOfANodeMax + 1}}}},
      {"too many outside", {.nodes = {{}}, .outside_hosts = kOutsideHostsMax + 1}},
  };
  for (const UnfitCluster& row : rows) {
    const auto refused = plan_cluster(row.shape);
    ASSERT_FALSE(refused) << row.name;
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput) << row.name;
  }
}

}  // namespace
}  // namespace proxima::lab
