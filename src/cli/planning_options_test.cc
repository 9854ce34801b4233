// SPDX-License-Identifier: Apache-2.0
#include "cli/planning_options.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::cli {
namespace {

model::SnapshotPtr two_regions() {
  return test::cluster(
      "node n1 a 4 region=east; node n2 b 4 region=east; node n3 c 4 region=west; "
      "service shop/cart; endpoint n1; service shop/web; endpoint n2");
}

// The money of a GB from zone to zone, as the planner's matrix and the unit give it.
std::string bill(const Result<Prices>& prices) {
  if (!prices) return "error: " + prices.error().message;
  const auto snapshot = two_regions();
  const auto matrix = plan::price_matrix(*snapshot, prices->rules);
  std::string out;
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t to = 0; to < 3; ++to) {
      char text[32];
      std::snprintf(text, sizeof text, "%.3g",
                    matrix.price[from * 4 + to] * prices->money_per_unit);
      out += (to == 0 ? (from == 0 ? "" : " | ") : " ") + std::string(text);
    }
  }
  return out;
}

TEST(PlanningOptions, PricesPerGigabyte) {
  const auto snapshot = two_regions();
  EXPECT_EQ(bill(read_prices({}, *snapshot)), "0 0.02 0.04 | 0.02 0 0.04 | 0.04 0.04 0");
  EXPECT_EQ(bill(read_prices({.price_per_gb = 0.01, .region_price_per_gb = 0.05}, *snapshot)),
            "0 0.01 0.05 | 0.01 0 0.05 | 0.05 0.05 0");
  EXPECT_EQ(bill(read_prices({.price_per_gb = 0}, *snapshot)), "0 0 0 | 0 0 0 | 0 0 0");
  EXPECT_EQ(read_prices({}, *snapshot)->stated,
            "$0.02 per GB between zones, both directions together; $0.04 between regions");
}

TEST(PlanningOptions, AFreeZoneStillKeepsTrafficAtHome) {
  const auto snapshot = two_regions();
  const auto free = read_prices({.price_per_gb = 0}, *snapshot);
  EXPECT_GT(plan::price_matrix(*snapshot, free->rules).price[1], 0);
  const auto regions_only =
      read_prices({.price_per_gb = 0, .region_price_per_gb = 0.05}, *snapshot);
  const auto matrix = plan::price_matrix(*snapshot, regions_only->rules);
  EXPECT_GT(matrix.price[1], 0);
  EXPECT_LT(matrix.price[1] * regions_only->money_per_unit, 1e-5);
  EXPECT_DOUBLE_EQ(matrix.price[2] * regions_only->money_per_unit, 0.05);
}

TEST(PlanningOptions, PriceFiles) {
  const struct {
    const char* name;
    const char* text;
    const char* bill;
  } cases[] = {
      {"nothing in it", "", "0 0.02 0.04 | 0.02 0 0.04 | 0.04 0.04 0"},
      {"a pair counts for both directions", "a/b: 0.5\n", "0 0.5 0.04 | 0.5 0 0.04 | 0.04 0.04 0"},
      {"unless both are given", "a/b: 0.5\nb/a: 0.1\n", "0 0.5 0.04 | 0.1 0 0.04 | 0.04 0.04 0"},
      {"regions stand for their zones", "east,west,0.3\n", "0 0.02 0.3 | 0.02 0 0.3 | 0.3 0.3 0"},
      {"a zone is meant more exactly than a region", "a/c: 0.1\neast/west: 0.3\n",
       "0 0.02 0.1 | 0.02 0 0.3 | 0.1 0.3 0"},
      {"classes", R"({"same-zone": 0.001, "same-region": 0.1, "other-region": 0.2})",
       "0.001 0.1 0.2 | 0.1 0.001 0.2 | 0.2 0.2 0.001"},
      {"an unknown zone", "a/z: 1\n",
       "error: p: line 1: \"z\" is neither a zone nor a region of this cluster"},
      {"no pair", "a: 1\n",
       "error: p: line 1: \"a\" is neither FROM/TO nor same-zone, same-region or other-region"},
      {"three names", "a/b/c: 1\n",
       "error: p: line 1: \"a/b/c\" is neither FROM/TO nor same-zone, same-region or other-region"},
      {"no number", "a/b: x\n", "error: p: line 1: a/b: \"x\" is not a number of at least 0"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(bill(apply_price_file(c.text, "p", {}, *two_regions())), c.bill);
  }
}

TEST(PlanningOptions, TrafficFiles) {
  const auto snapshot = two_regions();
  const auto even = read_traffic("", *snapshot);
  EXPECT_EQ(even->volume.default_gigabytes, 1);
  EXPECT_EQ(even->stated, "assumed: 1 GB for every service (see --traffic)");

  const auto some = apply_traffic_file("shop/cart: 20\nshop/gone: 3\ndefault: 2\n", "t", *snapshot);
  ASSERT_TRUE(some);
  EXPECT_EQ((some->volume.gigabytes.at({"shop", "cart"})), 20);
  EXPECT_EQ(some->volume.default_gigabytes, 2);
  EXPECT_EQ(some->unknown_names, (std::vector<std::string>{"shop/gone"}));
  EXPECT_EQ(some->stated, "as in t; 2 GB for each of 1 service not listed");

  EXPECT_EQ(apply_traffic_file("cart: 20\n", "t", *snapshot).error().message,
            "t: line 1: \"cart\" is neither NAMESPACE/NAME nor default");
}

TEST(PlanningOptions, EveryFlagReachesThePlanner) {
  PolicyOptions flags;
  flags.default_policy = policy::PolicyKind::Balanced;
  flags.overload = 0.5;
  flags.demand = "clients=web";
  flags.measured = "a=3,b=1";
  flags.min_local_endpoints = 2;
  flags.node_first = true;
  flags.topology_keys = {"kubernetes.io/hostname", "*"};
  flags.auto_options.start_below = 0.1;
  flags.zone_aware.min_cluster_size = 9;
  const auto options = planning_options(flags, *read_prices({}, *two_regions()));
  ASSERT_TRUE(options);
  EXPECT_EQ(options->defaults.policy, policy::PolicyKind::Balanced);
  EXPECT_EQ(options->defaults.overload, 0.5);
  EXPECT_EQ(options->defaults.demand.clients, "web");
  EXPECT_EQ(options->measured.at("a"), 3);
  EXPECT_EQ(options->defaults.min_local_endpoints, 2U);
  EXPECT_TRUE(options->defaults.node_first);
  EXPECT_EQ(options->defaults.topology_keys.size(), 2U);
  EXPECT_EQ(options->defaults.auto_options.start_below, 0.1);
  EXPECT_EQ(options->defaults.zone_aware.min_cluster_size, 9U);
}

TEST(PlanningOptions, FilesThatCannotBeReadAreNamed) {
  PolicyOptions flags;
  flags.measured = "/no/such/file";
  EXPECT_EQ(planning_options(flags, {}).error().message,
            "--measured: read /no/such/file: No such file or directory");
  EXPECT_EQ(read_prices({.price_file = "/no/such/file"}, *two_regions()).error().message,
            "--price-file: read /no/such/file: No such file or directory");
}

}  // namespace
}  // namespace proxima::cli
