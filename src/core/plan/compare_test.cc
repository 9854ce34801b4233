// SPDX-License-Identifier: Apache-2.0
#include "core/plan/compare.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::PolicyKind;

const std::vector<Variant> kVariants = {
    {"as-configured", std::nullopt, std::nullopt},
    {"prefer-same-zone", PolicyKind::PreferSameZone, std::nullopt},
    {"balanced 20%", PolicyKind::Balanced, 0.2},
};

Comparison compare(const std::string& cluster, const TrafficVolume& volume = {},
                   const PlanOptions& options = {}) {
  return compare_policies(test::cluster(cluster), options, kVariants, volume,
                          [](const model::Service&) { return true; });
}

constexpr const char* kCluster =
    "node n1 a 4; node n2 b 4; node n3 c 4;"
    "service s/small; endpoint n1 x2; endpoint n2; endpoint n3;"
    "service s/skewed PreferClose; endpoint n1 x8; endpoint n2;"
    "service s/down; endpoint n1 !ready;"
    "service s/dns headless; endpoint n1";

TEST(Compare, PutsEveryServiceUnderEveryPolicy) {
  const Comparison got = compare(kCluster);
  ASSERT_EQ(got.services.size(), 2U)
      << "nobody routes to a headless service, or to one that is down";
  ASSERT_EQ(got.services[0].outcomes.size(), kVariants.size());
  const auto& small = got.services[1].outcomes;  // sorted by name: skewed, small
  EXPECT_NEAR(small[0].local, 1.0 / 3, 1e-9);
  EXPECT_NEAR(small[1].local, 1, 1e-9);
  EXPECT_NEAR(small[1].worst_overload, 1.0 / 3, 1e-9);
  EXPECT_NEAR(small[2].local, 0.93333, 1e-5);
  EXPECT_NEAR(small[2].worst_overload, 0.2, 1e-9);
}

TEST(Compare, WeighsTotalsByTraffic) {
  TrafficVolume volume{.gigabytes = {{{"s", "small"}, 90}}, .default_gigabytes = 10};
  PlanOptions options;
  options.prices = {.same_zone = 0, .same_region = 0.02, .other_region = 0.04};
  const Comparison got = compare(kCluster, volume, options);
  const VariantTotal& now = got.totals[0];
  EXPECT_NEAR(now.gigabytes, 100, 1e-9);
  // small crosses 2/3 of 90; skewed keeps a and b local, c goes out: 1/3 of 10.
  EXPECT_NEAR(now.cross * 100, 60 + 10.0 / 3, 1e-9);
  EXPECT_NEAR(now.cost, (60 + 10.0 / 3) * 0.02, 1e-9);
  EXPECT_NEAR(now.local + now.cross + now.rejected, 1, 1e-12);
  double moved = 0;
  for (double gigabytes : now.place_to_place) moved += gigabytes;
  EXPECT_NEAR(moved, 100, 1e-9);
}

TEST(Compare, HalvesTheTrafficOfDualStackServices) {
  const Comparison got =
      compare("node n1 a 4; node n2 b 4; service s/web v6; endpoint n1; endpoint n2 v6");
  ASSERT_EQ(got.services.size(), 2U);
  EXPECT_EQ(got.services[0].outcomes[0].gigabytes, 0.5);
  EXPECT_EQ(got.totals[0].gigabytes, 1);
}

TEST(Compare, ReportsProgressToTheEnd) {
  std::size_t last = 0, total = 0;
  compare_policies(
      test::cluster(kCluster), {}, kVariants, {}, [](const model::Service&) { return true; },
      [&](std::size_t done, std::size_t of) { last = done, total = of; });
  EXPECT_EQ(last, total);
  EXPECT_EQ(total, 6U);
}

}  // namespace
}  // namespace proxima::plan
