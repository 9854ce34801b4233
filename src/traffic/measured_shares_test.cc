// SPDX-License-Identifier: Apache-2.0
#include "traffic/measured_shares.h"

#include <gtest/gtest.h>

#include <sstream>

namespace proxima::traffic {
namespace {

constexpr std::chrono::seconds kWindow{10};

// "a>b:p1*30": 30 requests from zone a that Pod p1 in zone b answered, of 100 bytes each; "a>!*3":
// three that failed.
std::vector<Seen> seen_of(const std::string& text, const std::string& service = "s") {
  std::vector<Seen> rows;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t star = word.find('*');
    const auto count = static_cast<std::uint64_t>(std::stoul(word.substr(star + 1)));
    Seen row{.service = service, .from_zone = word.substr(0, 1), .from_node = "n"};
    if (word[2] == '!') {
      row.failed = count;
    } else {
      row.to_zone = word.substr(2, 1);
      row.pod = word.substr(4, star - 4);
      row.to_node = "n-" + row.to_zone;
      row.requests = count;
      row.bytes = 100 * count;
    }
    rows.push_back(row);
  }
  return rows;
}

// "a:p1": a ready endpoint.
std::vector<ReadyEndpoint> ready_of(const std::string& text) {
  std::vector<ReadyEndpoint> ready;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    ready.push_back({.service = "s", .pod = word.substr(2), .zone = word.substr(0, 1)});
  return ready;
}

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string flows_text(const MeasuredService& service) {
  std::string text;
  for (const MeasuredFlow& flow : service.flows) {
    text += (text.empty() ? "" : " ") + flow.from + ">" + flow.to + "=" + number(flow.share) + "@" +
            number(flow.requests_per_second);
  }
  return text;
}

std::string loads_text(const MeasuredService& service) {
  std::string text;
  for (const MeasuredEndpoint& endpoint : service.endpoints)
    text += (text.empty() ? "" : " ") + endpoint.pod + "=" + number(endpoint.load);
  return text;
}

struct Row {
  const char* name;
  const char* seen;
  const char* ready;
  double local;
  double overload;
  const char* flows;
  const char* loads;
};

TEST(MeasureServices, TellsWhatIsShown) {
  const Row rows[] = {
      {"everybody stays at home", "a>a:p1*50 b>b:p2*50", "a:p1 b:p2", 1, 0, "a>a=0.5@5 b>b=0.5@5",
       "p1=1 p2=1"},
      {"everybody goes away", "a>b:p2*50 b>a:p1*50", "a:p1 b:p2", 0, 0, "a>b=0.5@5 b>a=0.5@5",
       "p1=1 p2=1"},
      {"one endpoint has more than its part", "a>a:p1*75 b>b:p2*25", "a:p1 b:p2", 1, 0.5,
       "a>a=0.75@7.5 b>b=0.25@2.5", "p1=1.5 p2=0.5"},
      {"an endpoint that nobody asks lowers the fair part", "a>a:p1*100", "a:p1 b:p2", 1, 1,
       "a>a=1@10", "p1=2 p2=0"},
      {"one that is ready no more has a load and no overload", "a>a:p1*40 a>b:old*60", "a:p1", 0.4,
       0, "a>a=0.4@4 a>b=0.6@6", "old=0.6 p1=0.4"},
      {"nobody is ready", "a>b:old*10", "", 0, 0, "a>b=1@1", "old=0"},
      {"nothing was seen", "", "a:p1 b:p2", 0, 0, "", "p1=0 p2=0"},
      {"what failed is in no share", "a>a:p1*10 a>!*90", "a:p1", 1, 0, "a>a=1@1", "p1=1"},
      {"two nodes of a zone are one flow", "a>a:p1*10 a>a:p1*10", "a:p1", 1, 0, "a>a=1@2", "p1=1"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto services = measure_services(seen_of(row.seen), ready_of(row.ready), kWindow);
    ASSERT_EQ(services.size(), 1U);
    EXPECT_DOUBLE_EQ(services[0].local, row.local);
    EXPECT_DOUBLE_EQ(services[0].worst_overload, row.overload);
    EXPECT_EQ(flows_text(services[0]), row.flows);
    EXPECT_EQ(loads_text(services[0]), row.loads);
  }
}

TEST(MeasureServices, CountsTheBytesThatCrossZones) {
  const auto services = measure_services(seen_of("a>a:p1*3 a>b:p2*2 b>!*1"), {}, kWindow);
  EXPECT_EQ(services[0].bytes, 500U);
  EXPECT_EQ(services[0].cross_zone_bytes, 200U);
  EXPECT_EQ(services[0].failed, 1U);
}

TEST(MeasureServices, GivesNoRateWithoutATime) {
  const auto services =
      measure_services(seen_of("a>a:p1*3"), ready_of("a:p1"), std::chrono::seconds(0));
  EXPECT_EQ(services[0].requests_per_second, 0);
  EXPECT_EQ(services[0].local, 1);
  EXPECT_TRUE(measure_services({}, {}, kWindow).empty());
}

TEST(SumMeasured, WeighsServicesByTheirRequests) {
  std::vector<Seen> seen = seen_of("a>a:p1*90 a>!*5", "s");
  for (const Seen& row : seen_of("a>b:p2*30", "t")) seen.push_back(row);
  const auto services = measure_services(seen, ready_of("a:p1 a:p3"), kWindow);
  ASSERT_EQ(services.size(), 2U);
  const MeasuredTotals totals = sum_measured(services);
  EXPECT_DOUBLE_EQ(totals.local, 0.75);
  EXPECT_DOUBLE_EQ(totals.worst_overload, 1);
  EXPECT_DOUBLE_EQ(totals.requests_per_second, 12);
  EXPECT_EQ(totals.failed, 5U);
  EXPECT_EQ(totals.cross_zone_bytes, 3000U);
}

TEST(MeasureZones, CountsWhatClientsAskedWhetherItWasAnsweredOrNot) {
  const auto zones = measure_zones(seen_of("a>b:p1*30 a>!*10 b>b:p1*5"), kWindow);
  EXPECT_EQ(zones, (std::vector<ZoneRate>{{"a", 4}, {"b", 0.5}}));
}

}  // namespace
}  // namespace proxima::traffic
