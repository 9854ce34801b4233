// SPDX-License-Identifier: Apache-2.0
#include "core/policy/balanced.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/number_words.h"

namespace proxima::policy {
namespace {

using test::kNoBound;
using test::numbers;
using test::shares;

std::vector<unsigned char> flags(const std::string& text) {
  const std::vector<double> given = numbers(text);
  return {given.begin(), given.end()};
}

struct Solved {
  std::vector<double> split;
  BalancedOutcome outcome;
};

Solved solve(const std::string& demand, const std::string& endpoints, double overload,
             const std::string& price = "", const std::string& may_stay = "") {
  const auto demanded = shares(demand);
  const auto capacity = shares(endpoints);
  const auto prices = numbers(price);
  const auto staying = flags(may_stay);
  BalancedWorkspace workspace;
  Solved solved;
  solved.split.resize(demanded.size() * demanded.size());
  solved.outcome = balanced_split({.demand = demanded,
                                   .capacity = capacity,
                                   .overload = overload,
                                   .price = prices,
                                   .may_stay = staying,
                                   .taken = {}},
                                  workspace, solved.split);
  return solved;
}

void expect_split(const Solved& solved, const std::string& expected) {
  const std::vector<double> split = numbers(expected);
  ASSERT_EQ(split.size(), solved.split.size());
  for (std::size_t i = 0; i < split.size(); ++i) {
    EXPECT_NEAR(solved.split[i], split[i], 1e-9) << "number " << i;
  }
}

// Three zones with equal demand: what hints alone cannot keep local.
TEST(Balanced, KeepsMostTrafficLocalAtEveryReplicaCount) {
  const struct {
    const char* endpoints;
    double overload;
    double local_share;
    double worst_overload;
  } cases[] = {
      // endpoints  bound     local                     worst
      {"2 1 1", 0.2, 14.0 / 15, 0.2},     {"2 2 1", 0.2, 2.0 / 3 + 0.24, 0.2},
      {"3 3 2", 0.2, 2.0 / 3 + 0.3, 0.2}, {"4 4 3", 0.2, 2.0 / 3 + 3.6 / 11, 0.2},
      {"5 3 1", 0.2, 0.8, 0.2},           {"2 1 1", kNoBound, 1, 1.0 / 3},
      {"2 2 1", kNoBound, 1, 2.0 / 3},    {"3 3 2", kNoBound, 1, 1.0 / 3},
      {"4 4 3", kNoBound, 1, 2.0 / 9},    {"5 3 1", kNoBound, 1, 2},
      {"2 1 1", 0, 1.0 / 3 + 0.5, 0},     {"1 1 1", 0, 1, 0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.endpoints << " within " << c.overload);
    const Solved solved = solve("1 1 1", c.endpoints, c.overload);
    EXPECT_NEAR(solved.outcome.local_share, c.local_share, 1e-12);
    EXPECT_NEAR(solved.outcome.worst_overload, c.worst_overload, 1e-12);
    EXPECT_NEAR(solved.outcome.cost, 1 - c.local_share, 1e-12);
  }
}

// Rows of the expected split are the places where traffic starts.
TEST(Balanced, SplitsWithUniformPrices) {
  const struct {
    const char* name;
    const char* demand;
    const char* endpoints;
    double overload;
    const char* split;
  } cases[] = {
      {"all stays where it fits", "2 1 1", "2 1 1", 0.2, "0.5 0 0  0 0.25 0  0 0 0.25"},
      {"one place serves itself", "1", "3", 0.2, "1"},
      {"one endpoint serves everyone", "1 1 2", "0 1 0", 0, "0 0.25 0  0 0.25 0  0 0.5 0"},
      {"what does not fit goes to the least loaded first", "60 5 35", "2 1 1", 0,
       "0.5 0.1 0  0 0.05 0  0 0.1 0.25"},
      {"receivers fill up to one level", "6 2 2", "1 1 2", 0.2,
       "0.3 0.033333333333 0.266666666667  0 0.2 0  0 0 0.2"},
      {"exporters share the receivers in the same proportions", "2 4 2 2", "0 0 7 13", 1,
       "0 0 0.05 0.15  0 0 0.1 0.3  0 0 0.2 0  0 0 0 0.2"},
      {"a place that starts nothing receives", "1 0", "1 3", 0, "0.25 0.75  0 0"},
      {"a place without endpoints exports all", "1 3", "0 2", kNoBound, "0 0.25  0 0.75"},
      {"no bound keeps everything", "9 1", "1 9", kNoBound, "0.9 0  0 0.1"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    expect_split(solve(c.demand, c.endpoints, c.overload), c.split);
  }
}

TEST(Balanced, PutsAPlaceThatMayNotStayIntoTheCommonPool) {
  const struct {
    const char* name;
    const char* demand;
    const char* endpoints;
    const char* price;
    const char* may_stay;
    const char* split;
  } cases[] = {
      {"home is as far as everywhere else", "1 1 2", "1 1 2", "", "0 1 1",
       "0.25 0 0  0 0.25 0  0 0 0.5"},
      {"and as loaded as everywhere else", "2 1 1", "1 2 1", "", "0 1 1",
       "0.25 0.25 0  0 0.25 0  0 0 0.25"},
      {"all in the pool is an even spread", "1 3", "1 1", "", "0 0", "0.125 0.125  0.375 0.375"},
      {"the nearest other place sets the distance of home", "2 1 1", "1 2 1", "0 1 2  1 0 2  2 2 0",
       "0 1 1", "0.25 0.25 0  0 0.25 0  0 0 0.25"},
      {"nowhere else to go", "1 1", "1 0", "0 1  5 0", "0 0", "0.5 0  0.5 0"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    expect_split(solve(c.demand, c.endpoints, 0.2, c.price, c.may_stay), c.split);
  }
}

TEST(Balanced, FollowsPrices) {
  const struct {
    const char* name;
    const char* demand;
    const char* endpoints;
    double overload;
    const char* price;
    const char* split;
  } cases[] = {
      {"stays in the region", "6 2 1 1", "1 1 1 1", 0.2, "0 1 2 2  1 0 2 2  2 2 0 1  2 2 1 0",
       "0.3 0.1 0.1 0.1  0 0.2 0 0  0 0 0.1 0  0 0 0 0.1"},
      {"another makes room where that is cheaper", "2 1 0", "1 1 1", 0, "0 1 9  1 0 1  9 1 0",
       "0.333333333333 0.333333333333 0  0 0 0.333333333333  0 0 0"},
      {"home need not be the cheapest", "1 1", "1 1", kNoBound, "1 0  0 1", "0 0.5  0.5 0"},
      {"free is everywhere alike", "3 1", "1 1", 0.2, "0 0  0 0", "0.375 0.375  0.125 0.125"},
      {"one price for everything is an even spread", "3 1", "1 3", 0.2, "7 7  7 7",
       "0.1875 0.5625  0.0625 0.1875"},
      {"prices need not be symmetric", "2 0 0", "2 1 1", 0, "0 3 1  1 0 1  1 1 0",
       "0.5 0.25 0.25  0 0 0  0 0 0"},
      {"a cent a GB is a price like any other", "3 1 0", "1 1 1", 0.2,
       "0 0.01 0.02  0.01 0 0.02  0.02 0.02 0", "0.4 0.15 0.2  0 0.25 0  0 0 0"},
      {"equal on paper is equal: 0.1 + 0.2 and 0.3", "2 1 0 0", "1 1 1 1", 0,
       "0 0.1 0.3 9  9 0 0.2 0  9 9 0 9  9 9 9 0",
       "0.25 0.208333333333 0.208333333333 0  0 0.041666666667 0.041666666667 0.25  0 0 0 0  0 0 0 "
       "0"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    expect_split(solve(c.demand, c.endpoints, c.overload, c.price), c.split);
  }
}

TEST(Balanced, CountsLoadThatIsThereAlready) {
  const std::vector<double> demand = shares("1 1");
  std::vector<double> half(demand);
  for (double& share : half) share /= 2;
  const std::vector<double> capacity = shares("1 1");
  const std::vector<double> taken{0.4, 0.1};
  BalancedWorkspace workspace;
  for (const char* price : {"", "0 1  2 0"}) {
    SCOPED_TRACE(price);
    const std::vector<double> prices = numbers(price);
    std::vector<double> split(4);
    const auto outcome = balanced_split({.demand = half,
                                         .capacity = capacity,
                                         .overload = 0.2,
                                         .price = prices,
                                         .may_stay = {},
                                         .taken = taken},
                                        workspace, split);
    EXPECT_NEAR(split[0], 0.2, 1e-12);
    EXPECT_NEAR(split[1], 0.05, 1e-12);
    EXPECT_NEAR(split[3], 0.25, 1e-12);
    EXPECT_NEAR(outcome.worst_overload, 0.2, 1e-12);
  }
}

TEST(Balanced, AnswersForOneEndpointAndForFourInThreeZones) {
  for (const double overload : {0.0, 0.2, kNoBound}) {
    const Solved one = solve("1 1 1", "0 1 0", overload);
    EXPECT_NEAR(one.outcome.local_share, 1.0 / 3, 1e-12);
    EXPECT_NEAR(one.outcome.worst_overload, 0, 1e-12);
    for (const char* four : {"2 1 1", "4 0 0", "0 3 1", "2 2 0"}) {
      SCOPED_TRACE(four);
      const Solved solved = solve("1 1 1", four, overload);
      EXPECT_NEAR(std::accumulate(solved.split.begin(), solved.split.end(), 0.0), 1, 1e-12);
      EXPECT_LE(solved.outcome.worst_overload, overload + 1e-12);
    }
  }
}

TEST(Balanced, SplitsADemandTooSmallToWeigh) {
  const std::vector<double> demand{1 - 1e-17, 1e-17, 0};
  const std::vector<double> capacity = shares("1 1 1");
  const std::vector<double> price = numbers("0 1 2  1 0 2  2 2 0");
  BalancedWorkspace workspace;
  std::vector<double> split(9);
  balanced_split({.demand = demand,
                  .capacity = capacity,
                  .overload = 0.2,
                  .price = price,
                  .may_stay = {},
                  .taken = {}},
                 workspace, split);
  EXPECT_NEAR(split[0], 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(split[3] + split[4] + split[5], 1e-17);
}

TEST(BalancedDeathTest, StopsOnWhatTheEdgeMustRefuse) {
  EXPECT_DEATH(solve("1 1", "0 0", 0.2), "capacity");
  EXPECT_DEATH(solve("1 1", "1 1", -0.1), "overload");
  EXPECT_DEATH(solve("1 1", "1 1", 0.2, "0 -1  1 0"), "price");
  EXPECT_DEATH(solve("1 1", "1 1", 0.2, "0 1  1"), "price");
}

}  // namespace
}  // namespace proxima::policy
