// SPDX-License-Identifier: Apache-2.0
#include "agents/demand_shares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace proxima::agents {
namespace {

// "a=20 b=80", in percent.
std::string text_of(const DemandShares& shares) {
  std::string text;
  for (const auto& [zone, share] : shares)
    text += (text.empty() ? "" : " ") + zone + "=" + std::to_string(std::lround(share * 100));
  return text;
}

struct ShareChange {
  const char* name;
  DemandShares present;
  DemandShares named;
  const char* result;
};

const ShareChange kShareChanges[] = {
    {"the others divide the rest as they did",
     {{"a", 0.2}, {"b", 0.2}, {"c", 0.6}},
     {{"a", 0.6}},
     "a=60 b=10 c=30"},
    {"everything comes from one zone", {{"a", 0.5}, {"b", 0.5}}, {{"a", 1}}, "a=100 b=0"},
    {"others that had nothing divide evenly",
     {{"a", 1}, {"b", 0}, {"c", 0}},
     {{"a", 0.5}},
     "a=50 b=25 c=25"},
    {"all are named", {{"a", 0.5}, {"b", 0.5}}, {{"a", 0.333}, {"b", 0.667}}, "a=33 b=67"},
    {"nothing is named", {{"a", 0.5}, {"b", 0.5}}, {}, "a=50 b=50"},
    {"no such zone", {{"a", 0.5}, {"b", 0.5}}, {{"x", 0.5}}, "lab: no zone \"x\"; there are a, b"},
    {"less than nothing",
     {{"a", 0.5}, {"b", 0.5}},
     {{"a", -0.5}},
     "lab: demand of a: a share is from 0 to 1, or from 0% to 100%"},
    {"not a number",
     {{"a", 0.5}, {"b", 0.5}},
     {{"a", std::nan("")}},
     "lab: demand of a: a share is from 0 to 1, or from 0% to 100%"},
    {"together too much",
     {{"a", 0.5}, {"b", 0.5}},
     {{"a", 0.7}, {"b", 0.7}},
     "lab: demand: the shares add up to more than 100%"},
    {"all together too little",
     {{"a", 0.5}, {"b", 0.5}},
     {{"a", 0.1}, {"b", 0.1}},
     "lab: demand: the shares of all zones add up to less than 100%"},
};

TEST(DemandShares, ChangeByTheTable) {
  for (const ShareChange& row : kShareChanges) {
    const auto changed = changed_shares(row.present, row.named);
    EXPECT_EQ(changed ? text_of(*changed) : changed.error().message, row.result) << row.name;
  }
}

TEST(DemandShares, FollowTheZonesThatThereAre) {
  EXPECT_EQ(text_of(shares_of({{"a", 0.5}, {"b", 0.5}}, {"a", "b", "c"})), "a=33 b=33 c=33");
  EXPECT_EQ(text_of(shares_of({{"a", 0.5}, {"b", 0.3}, {"c", 0.2}}, {"b", "c"})), "b=60 c=40");
  EXPECT_EQ(text_of(shares_of({}, {"a", "b"})), "a=50 b=50");
  EXPECT_EQ(text_of(shares_of({{"a", 1}}, {})), "");
  EXPECT_EQ(text_of(normalized({{"a", 3}, {"b", 1}})), "a=75 b=25");
}

TEST(DemandShares, AreDividedAmongTheNodesOfAZone) {
  const DemandShares shares = {{"a", 0.8}, {"b", 0.2}};
  const auto traffic = traffic_of(shares, {{"n1", "a"}, {"n2", "a"}, {"n3", "b"}, {"n4", "x"}});
  EXPECT_EQ(traffic,
            (std::map<std::string, double>{{"n1", 40}, {"n2", 40}, {"n3", 20}, {"n4", 0}}));
  EXPECT_EQ(traffic_of({{"a", 1.0 / 3}}, {{"n1", "a"}}).at("n1"), 33.333) << "as it is written";
  EXPECT_TRUE(traffic_of(shares, {}).empty());
}

}  // namespace
}  // namespace proxima::agents
