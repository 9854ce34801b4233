// SPDX-License-Identifier: Apache-2.0
#include "core/plan/published.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

struct PublishedRow {
  const char* name;
  const char* service;
  std::uint32_t compared;
  std::uint32_t hinted;
  std::vector<std::uint32_t> different;
  bool equally_good = false;
};

TEST(Published, IsComparedEndpointByEndpoint) {
  const PublishedRow rows[] = {
      {"as planned", "service s/w PreferClose; endpoint n1 hint=a; endpoint n2 hint=b", 2, 2, {}},
      {"no hints, none planned", "service s/w; endpoint n1; endpoint n2", 2, 0, {}},
      {"hints that are missing",
       "service s/w PreferClose; endpoint n1 hint=a; endpoint n2",
       2,
       1,
       {1}},
      {"hints that should go", "service s/w; endpoint n1; endpoint n2 hint=b", 2, 1, {1}},
      {"a zone too many", "service s/w PreferClose; endpoint n1 hint=b,a", 1, 1, {0}},
      {"nodes too",
       "service s/w PreferSameNode; endpoint n1 hint=a node-hint=n1; "
       "endpoint n2 hint=b",
       2,
       2,
       {1}},
      {"a node that is gone",
       "service s/w PreferSameNode; endpoint n1 hint=a node-hint=x",
       1,
       1,
       {0}},
      {"only ready endpoints count",
       "service s/w PreferClose; endpoint n1 hint=a; "
       "endpoint n2 !ready; endpoint n3 ?ready",
       1,
       1,
       {}},
      {"two that changed places",
       "service s/w PreferClose; endpoint n1 hint=a; "
       "endpoint n1 hint=b; endpoint n1 hint=a",
       3,
       3,
       {1}},
  };
  for (const PublishedRow& row : rows) {
    SCOPED_TRACE(row.name);
    const auto plan = plan_cluster(test::cluster(test::kThreeZones + std::string(row.service)), {});
    const Published got = compare_published(plan, plan.services.front());
    EXPECT_TRUE(got.known);
    EXPECT_EQ(got.compared, row.compared);
    EXPECT_EQ(got.hinted, row.hinted);
    EXPECT_EQ(got.different, row.different);
    EXPECT_EQ(got.equals_plan(), row.different.empty());
    EXPECT_EQ(got.equally_good, row.equally_good);
  }
}

TEST(Published, OtherEndpointsOfAZoneMayServeTheSameZones) {
  auto plan = plan_cluster(
      test::cluster("node n1 a 1; service s/w; endpoint n1 hint=a; endpoint n1 hint=b"), {});
  plan.hints[0].zone = plan.snapshot->find_zone("b");
  plan.hints[1].zone = plan.snapshot->find_zone("a");
  const Published got = compare_published(plan, plan.services.front());
  EXPECT_EQ(got.different, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(got.equally_good);
}

TEST(Published, SlicesThatNobodyPublishedAreNotKnown) {
  const auto plan = plan_cluster(test::cluster("node n1 a 1; service s/w PreferClose"), {});
  ASSERT_EQ(plan.services.size(), 1U);
  const Published got = compare_published(plan, plan.services.front());
  EXPECT_FALSE(got.known || got.equals_plan());
  EXPECT_EQ(got.compared, 0U);
}

}  // namespace
}  // namespace proxima::plan
