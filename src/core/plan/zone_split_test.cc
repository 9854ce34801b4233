// SPDX-License-Identifier: Apache-2.0
#include "core/plan/zone_split.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using route::parse_zone_split;
using route::render;

std::string split_of(const std::string& cluster) {
  const auto plan = plan_cluster(test::cluster(cluster), {});
  return render(zone_split(plan, plan.services.front()));
}

constexpr const char* kSplitNodes = "node n1 a 4; node n2 b 4; node n3 c 4;";

TEST(ZoneSplit, SaysWhereEachZonesTrafficGoes) {
  const struct {
    const char* name;
    std::string cluster;
    const char* split;
  } rows[] = {
      {"what spills",
       kSplitNodes + std::string("service s/web balanced; endpoint n1 x2; endpoint n2; "
                                 "endpoint n3"),
       "a=a:1000;b=a:100,b:900;c=a:100,c:900"},
      {"all at home",
       kSplitNodes + std::string("service s/web balanced; endpoint n1; endpoint n2; "
                                 "endpoint n3"),
       "a=a:1000;b=b:1000;c=c:1000"},
      {"thirds sum to the whole",
       kSplitNodes + std::string("service s/web balanced overload=0; "
                                 "endpoint n1 zone=-"),
       "a=-:1000;b=-:1000;c=-:1000"},
      {"nodes without a zone have a row",
       "node n1 a 4; node n2 - 4; service s/web balanced; "
       "endpoint n1",
       "-=a:1000;a=a:1000"},
      {"zones without nodes have none",
       kSplitNodes + std::string("service s/web balanced; "
                                 "endpoint n1 zone=x"),
       "a=x:1000;b=x:1000;c=x:1000"},
      {"no fractions, no split",
       kSplitNodes + std::string("service s/web PreferClose; endpoint n1"), ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(split_of(row.cluster), row.split);
    const auto parsed = parse_zone_split(row.split);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(render(*parsed), row.split);
  }
}

TEST(ZoneSplit, RefusesWhatNobodyWouldWrite) {
  for (const char* text : {"a",
                           "a=",
                           "=a:1000",
                           "a=a:999",
                           "a=a:1001",
                           "a=a:0,b:1000",
                           "a=b:500,a:500",
                           "a=a:500,a:500",
                           "b=b:1000;a=a:1000",
                           "a=a:1000;a=a:1000",
                           "a=a:1000;",
                           "a=a:1000,",
                           "a=a:1e3",
                           "a=a:+1000",
                           "a=a: 1000",
                           "a=a:99999999999999999999",
                           "a=a",
                           "a b=a:1000",
                           "a=a:1000;;b=b:1000",
                           "a=-5:1000,a:1",
                           "\n"}) {
    EXPECT_FALSE(parse_zone_split(text)) << text;
  }
  EXPECT_TRUE(parse_zone_split("")->empty());
}

TEST(ZoneSplit, IsWorthAWriteWhenAShareMovesByMoreThanOnePercent) {
  const struct {
    const char* name;
    const char* published;
    const char* wanted;
    bool moved;
  } rows[] = {
      {"the same", "a=a:900,b:100", "a=a:900,b:100", false},
      {"ten thousandths are not enough", "a=a:900,b:100", "a=a:890,b:110", false},
      {"eleven are", "a=a:900,b:100", "a=a:889,b:111", true},
      {"a new receiver below the step", "a=a:1000", "a=a:990,b:10", false},
      {"a new receiver above it", "a=a:1000", "a=a:989,b:11", true},
      {"a receiver that goes", "a=a:950,b:50", "a=a:1000", true},
      {"another zone starts traffic", "a=a:1000", "a=a:1000;b=b:1000", true},
      {"a zone is another one", "a=a:1000", "b=a:1000", true},
      {"nothing was there", "", "a=a:1000", true},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(has_moved(*parse_zone_split(row.published), *parse_zone_split(row.wanted)),
              row.moved);
  }
}

TEST(ZoneSplit, GivesWhatRoundingCutsOffToThoseWhoLostMost) {
  const double thirds[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  EXPECT_EQ(whole_permille(thirds, 1), (std::vector<std::int64_t>{334, 333, 333}));
  const double uneven[] = {0.0004, 0.9996};
  EXPECT_EQ(whole_permille(uneven, 1), (std::vector<std::int64_t>{0, 1000}));
}

}  // namespace
}  // namespace proxima::plan
