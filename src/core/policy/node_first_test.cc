// SPDX-License-Identifier: Apache-2.0
#include "core/policy/node_first.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "support/number_words.h"

namespace proxima::policy {
namespace {

using test::kNoBound;

// Nodes in order, two zones and "no zone".
struct NodesWorld {
  std::vector<double> node_demand;
  std::vector<std::uint16_t> node_place;
  std::vector<std::uint32_t> endpoint_node;
  std::vector<std::uint16_t> endpoint_place;
  std::vector<float> endpoint_weight;
  std::vector<double> price;
  std::vector<double> demand;

  void add_node(std::uint16_t place, double traffic) {
    node_demand.push_back(traffic);
    node_place.push_back(place);
  }
  void add_endpoint(std::uint32_t node, float weight = 1) {
    endpoint_node.push_back(node);
    endpoint_place.push_back(node_place[node]);
    endpoint_weight.push_back(weight);
  }
  NodeFirstInput input(double overload) {
    const double total = std::accumulate(node_demand.begin(), node_demand.end(), 0.0);
    demand.assign(3, 0);
    for (std::size_t node = 0; node < node_demand.size(); ++node) {
      node_demand[node] /= total;
      demand[node_place[node]] += node_demand[node];
    }
    return {.demand = demand,
            .node_demand = node_demand,
            .node_place = node_place,
            .endpoint_node = endpoint_node,
            .endpoint_place = endpoint_place,
            .endpoint_weight = endpoint_weight,
            .overload = overload,
            .price = price,
            .may_stay = {}};
  }
};

void expect_numbers(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-12) << i;
}

// Zone a: two nodes with an endpoint each, the first busy. Zone b: one node, one endpoint.
NodesWorld busy_first_node() {
  NodesWorld world;
  world.add_node(0, 6);
  world.add_node(0, 2);
  world.add_node(1, 2);
  world.add_endpoint(0);
  world.add_endpoint(1);
  world.add_endpoint(2);
  return world;
}

TEST(NodeFirst, KeepsOnTheNodeWhatItsEndpointsCanTake) {
  NodesWorld world = busy_first_node();
  NodeFirstWorkspace workspace;
  const NodeFirstPlan& plan = plan_node_first(world.input(0.2), workspace);
  ASSERT_EQ(plan.kept.size(), 3u);
  EXPECT_NEAR(plan.kept[0].share, 0.4, 1e-12);
  EXPECT_NEAR(plan.kept[1].share, 0.2, 1e-12);
  EXPECT_NEAR(plan.kept[2].share, 0.2, 1e-12);
  // The rest of the first node fits its neighbour in the zone, exactly.
  expect_numbers(plan.left, {0.2, 0, 0});
  expect_numbers(plan.split, {0.2, 0, 0, 0, 0, 0, 0, 0, 0});
  expect_numbers(plan.zone_part, {0, 1, 1});
  expect_numbers(plan.endpoint_load, {0.4, 0.4, 0.2});
  EXPECT_NEAR(plan.node_share, 0.8, 1e-12);
  EXPECT_NEAR(plan.local_share, 1, 1e-12);
  EXPECT_NEAR(plan.worst_overload, 0.2, 1e-12);
  EXPECT_NEAR(plan.cost, 0, 1e-12);
}

TEST(NodeFirst, LeavesTheZoneOnlyWhenTheZoneIsFull) {
  NodesWorld world = busy_first_node();
  NodeFirstWorkspace workspace;
  const NodeFirstPlan& plan = plan_node_first(world.input(0), workspace);
  const double third = 1.0 / 3;
  expect_numbers(plan.endpoint_load, {third, third, third});
  EXPECT_NEAR(plan.split[0], third - 0.2, 1e-12);
  EXPECT_NEAR(plan.split[1], third - 0.2, 1e-12);
  EXPECT_NEAR(plan.cost, third - 0.2, 1e-12);
}

TEST(NodeFirst, WithoutABoundIsPreferSameNodeThenSameZone) {
  NodesWorld world = busy_first_node();
  world.add_node(0, 5);  // no endpoint here, two in its zone
  world.add_node(2, 5);  // no zone, so no endpoint is near
  NodeFirstWorkspace workspace;
  const NodeFirstPlan& plan = plan_node_first(world.input(kNoBound), workspace);
  EXPECT_NEAR(plan.kept[0].share, 0.3, 1e-12);
  expect_numbers(plan.left, {0.25, 0, 0.25});
  EXPECT_NEAR(plan.split[0], 0.25, 1e-12);
  EXPECT_NEAR(plan.split[6] + plan.split[7], 0.25, 1e-12);
  expect_numbers(plan.zone_part, {0.5, 0.5, 1});
  EXPECT_NEAR(plan.node_share, 0.5, 1e-12);
}

TEST(NodeFirst, SpreadsByWeightOnTheNodeAndByRoomInTheZone) {
  NodesWorld world;
  world.add_node(0, 1);
  world.add_node(0, 9);
  world.add_endpoint(0, 1);
  world.add_endpoint(0, 3);
  world.endpoint_node.push_back(kUnknownNode);
  world.endpoint_place.push_back(0);
  world.endpoint_weight.push_back(4);
  NodeFirstWorkspace workspace;
  const NodeFirstPlan& plan = plan_node_first(world.input(0), workspace);
  ASSERT_EQ(plan.kept.size(), 1u);
  EXPECT_NEAR(plan.kept[0].weight, 0.5, 1e-12);
  EXPECT_NEAR(plan.kept[0].share, 0.1, 1e-12);
  expect_numbers(plan.zone_part, {0.1 / 0.9, 0.3 / 0.9, 0.5 / 0.9});
  expect_numbers(plan.endpoint_load, {0.125, 0.375, 0.5});
}

NodesWorld random_world(std::mt19937& random) {
  NodesWorld world;
  const std::size_t nodes = 1 + random() % 8;
  for (std::size_t node = 0; node < nodes; ++node) {
    world.add_node(static_cast<std::uint16_t>(random() % 3), static_cast<double>(random() % 5));
  }
  world.node_demand[0] += 1;
  const std::size_t endpoints = 1 + random() % 10;
  for (std::size_t i = 0; i < endpoints; ++i) {
    world.add_endpoint(static_cast<std::uint32_t>(random() % nodes),
                       static_cast<float>(1 + random() % 3));
    if (random() % 8 == 0) world.endpoint_node.back() = kUnknownNode;
    if (random() % 8 == 0) world.endpoint_place.back() = static_cast<std::uint16_t>(random() % 3);
  }
  if (random() % 2 == 0) world.price = {0, 1, 2, 1, 0, 2, 2, 3, 0};
  return world;
}

TEST(NodeFirst, LoadsNoEndpointBeyondTheBoundAndLosesNothing) {
  std::mt19937 random(3);
  NodeFirstWorkspace workspace;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    NodesWorld world = random_world(random);
    const double overload = std::vector<double>{0, 0.1, 0.2, 1, kNoBound}[random() % 5];
    const NodeFirstInput input = world.input(overload);
    const NodeFirstPlan& plan = plan_node_first(input, workspace);
    const auto& load = plan.endpoint_load;
    EXPECT_NEAR(std::accumulate(load.begin(), load.end(), 0.0), 1, 1e-9);
    EXPECT_LE(plan.worst_overload, overload + 1e-9);
    for (const KeptOnNode& node : plan.kept) {
      const double most = (1 + overload) * node.weight;
      EXPECT_EQ(node.share, std::min(world.node_demand[node.node], most));
    }
    for (std::size_t z = 0; z < 3; ++z) {
      const auto row = std::span(plan.split).subspan(z * 3, 3);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), plan.left[z], 1e-12);
    }
  }
}

TEST(NodeFirst, KeepsNothingOnNodesWhereDemandIsKnownByZoneOnly) {
  NodesWorld world = busy_first_node();
  NodeFirstInput input = world.input(0.2);
  const std::vector<double> nothing(3, 0);
  input.node_demand = nothing;
  NodeFirstWorkspace workspace;
  const NodeFirstPlan& plan = plan_node_first(input, workspace);
  EXPECT_EQ(plan.node_share, 0);
  EXPECT_NEAR(plan.split[0], 0.8, 1e-12);
  expect_numbers(plan.endpoint_load, {0.4, 0.4, 0.2});
}

}  // namespace
}  // namespace proxima::policy
