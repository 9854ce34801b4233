// SPDX-License-Identifier: Apache-2.0
#include "core/policy/require_zone.h"

#include <gtest/gtest.h>

#include <vector>

namespace proxima::policy {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(Failover, IsReadAsWritten) {
  const struct {
    const char* text;
    std::optional<FailoverBudget> budget;
  } rows[] = {
      {"none", std::nullopt},
      {"min-endpoints=2", FailoverBudget{2, std::nullopt}},
      {"for=10m", FailoverBudget{1, minutes(10)}},
      {"min-endpoints=2,for=10m", FailoverBudget{2, minutes(10)}},
      {"for=1h30m, min-endpoints=3", FailoverBudget{3, minutes(90)}},
      {"for=1.5s", FailoverBudget{1, seconds(1)}},
  };
  for (const auto& row : rows) {
    const auto read = parse_failover(row.text);
    ASSERT_TRUE(read) << row.text;
    EXPECT_EQ(*read, row.budget) << row.text;
  }
}

TEST(Failover, RefusesWhatIsNoBudget) {
  for (const char* text :
       {"", ",", "2", "min-endpoints", "min-endpoints=", "min-endpoints=0", "min-endpoints=-1",
        "min-endpoints=2.5", "min-endpoints=100001", "min-endpoints=1,min-endpoints=2", "for=0s",
        "for=10", "for=-1m", "for=9999999h", "for=1m,for=2m", "for=10m,", "none,for=1m", "For=10m",
        "until=10m"}) {
    const auto read = parse_failover(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find("is not a failover budget"), std::string::npos);
  }
}

// Zones a and b are in one region, c is in another, d in none; the last place has no zone.
constexpr std::uint32_t kRegions[] = {0, 0, 1, 2};
constexpr std::size_t kB = 1, kD = 3;

struct RequireZoneRow {
  const char* name;
  std::vector<std::uint32_t> ready;
  std::size_t zone;
  std::optional<FailoverBudget> failover;
  int minutes_since;  // −1: nobody says
  RequiredZone state;
  std::vector<double> row;
};

TEST(RequireZone, SendsTrafficElsewhereOnlyWithinTheBudget) {
  using enum RequiredZone;
  const std::optional<FailoverBudget> none;
  const FailoverBudget any{1, std::nullopt}, two{2, std::nullopt}, ten{1, minutes(10)},
      two_ten{2, minutes(10)};
  const RequireZoneRow rows[] = {
      {"its own endpoints", {2, 1, 1, 0, 0}, kB, none, -1, Kept, {0, 1, 0, 0, 0}},
      {"none of its own", {2, 0, 1, 0, 0}, kB, none, -1, Rejected, {0, 0, 0, 0, 0}},
      {"enough for the budget", {2, 2, 1, 0, 0}, kB, two, -1, Kept, {0, 1, 0, 0, 0}},
      {"its region first", {2, 0, 1, 0, 0}, kB, any, -1, FailsOver, {1, 0, 0, 0, 0}},
      {"its own are part of the region",
       {3, 1, 9, 0, 0},
       kB,
       two,
       -1,
       FailsOver,
       {0.75, 0.25, 0, 0, 0}},
      {"everyone where the region has too few",
       {0, 1, 2, 0, 1},
       kB,
       two,
       -1,
       FailsOver,
       {0, 0.25, 0.5, 0, 0.25}},
      {"everyone where the region is unknown",
       {1, 1, 0, 0, 0},
       kD,
       any,
       -1,
       FailsOver,
       {0.5, 0.5, 0, 0, 0}},
      {"as few as there are", {0, 1, 0, 0, 0}, kB, two, -1, FailsOver, {0, 1, 0, 0, 0}},
      {"before the time is over", {1, 0, 0, 0, 0}, kB, ten, 9, FailsOver, {1, 0, 0, 0, 0}},
      {"rejected when it is", {1, 0, 0, 0, 0}, kB, ten, 10, Spent, {0, 0, 0, 0, 0}},
      {"what it has when it is", {3, 1, 0, 0, 0}, kB, two_ten, 11, Spent, {0, 1, 0, 0, 0}},
      {"without an end", {1, 0, 0, 0, 0}, kB, any, 100'000, FailsOver, {1, 0, 0, 0, 0}},
  };
  const WallTime now = *parse_time("2026-03-01T12:00:00Z");
  for (const RequireZoneRow& row : rows) {
    SCOPED_TRACE(row.name);
    const std::vector<double> capacity(row.ready.begin(), row.ready.end());
    const RequireZoneInput input{row.ready, capacity, kRegions, 2, row.failover};
    std::optional<WallTime> since;
    if (row.minutes_since >= 0) since = now - minutes(row.minutes_since);
    const RequiredZone state = required_zone_state(input, row.zone, since, now);
    EXPECT_EQ(state, row.state);
    std::vector<double> made(row.ready.size(), 7);
    require_zone_row(input, row.zone, state, made);
    EXPECT_EQ(made, row.row);
  }
}

TEST(RequireZone, TimeThatNobodyCountsUsesNothingUp) {
  const std::uint32_t ready[] = {1, 0, 0, 0, 0};
  const double capacity[] = {1, 0, 0, 0, 0};
  const RequireZoneInput input{ready, capacity, kRegions, 2, FailoverBudget{1, minutes(10)}};
  const WallTime now = *parse_time("2026-03-01T12:00:00Z");
  EXPECT_EQ(required_zone_state(input, kB, now - minutes(11), std::nullopt),
            RequiredZone::FailsOver);
  EXPECT_EQ(required_zone_state(input, kB, std::nullopt, now), RequiredZone::FailsOver);
}

}  // namespace
}  // namespace proxima::policy
