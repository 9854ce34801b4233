// SPDX-License-Identifier: Apache-2.0
#include "traffic/demand_plan.h"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <set>
#include <sstream>

#include "base/split_mix.h"

namespace proxima::traffic {
namespace {

// "a a b": two clients in zone a, and one in b.
std::vector<std::string> zones(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

struct Row {
  const char* name;
  const char* clients;
  std::optional<DemandShares> shares;
  std::vector<double> rates;  // of 60 requests a second
};

TEST(PlanClientRates, FollowsTheDemandOfZones) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Row rows[] = {
      {"zones have even parts at first", "a a b", std::nullopt, {15, 15, 30}},
      {"a part for each zone",
       "a b c",
       DemandShares{{"a", .5}, {"b", .3}, {"c", .2}},
       {30, 18, 12}},
      {"clients of a zone share evenly", "a a b", DemandShares{{"a", .8}, {"b", .2}}, {24, 24, 12}},
      {"a zone without clients asks nothing, and nobody asks more",
       "b",
       DemandShares{{"a", .5}, {"b", .5}},
       {30}},
      {"a zone that is not named asks nothing", "a b", DemandShares{{"a", .8}}, {48, 0}},
      {"shares that are no shares",
       "a b c",
       DemandShares{{"a", -1}, {"b", nan}, {"c", .5}},
       {0, 0, 30}},
      {"nobody is there", "", DemandShares{{"a", 1}}, {}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(plan_client_rates(zones(row.clients), row.shares, 60), row.rates) << row.name;
  }
  EXPECT_EQ(plan_client_rates(zones("a"), std::nullopt, -5), std::vector<double>{0});
  EXPECT_EQ(plan_client_rates(zones("a"), std::nullopt, nan), std::vector<double>{0});
}

// Whatever the clients: a zone's rate is its share or nothing, and clients of a zone are equal.
TEST(PlanClientRates, GivesEveryZoneItsShareOrNothing) {
  SplitMix random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> clients;
    for (std::uint64_t i = random.below(12); i > 0; --i)
      clients.emplace_back(1, static_cast<char>('a' + random.below(4)));
    DemandShares shares;
    for (const char* zone : {"a", "b", "c", "d"}) shares[zone] = random.unit();
    const auto rates = plan_client_rates(clients, shares, 100);
    for (const auto& [zone, share] : shares) {
      double all = 0;
      std::set<double> different;
      for (std::size_t i = 0; i < clients.size(); ++i) {
        if (clients[i] != zone) continue;
        different.insert(rates[i]);
        all += rates[i];
      }
      EXPECT_LE(different.size(), 1U);
      EXPECT_NEAR(all, different.empty() ? 0 : share * 100, 1e-9)
          << "round " << round << " zone " << zone;
    }
  }
}

}  // namespace
}  // namespace proxima::traffic
