// SPDX-License-Identifier: Apache-2.0
#include "web/flow_windows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/whole_number.h"

namespace proxima::web {
namespace {

using std::chrono::seconds;

FlowWindows::Time at(int second) { return FlowWindows::Time(seconds(10'000 + second)); }

ReportedFlow flow(const char* to, std::uint64_t connections, std::uint64_t bytes = 0) {
  return {.service = "shop/web",
          .from_zone = "a",
          .to_zone = to,
          .address = std::string("10.0.0.") + (*to == 'a' ? "1" : "2"),
          .count = {.connections = connections, .unanswered = 0, .bytes = bytes}};
}

// Reports of one node, and what a window shows then: "a 5, b 2 in 20".
struct Report {
  int second;
  ProxyReport flows;
};

std::string shown(const FlowWindows& windows, int second, int last = 60) {
  const SeenWindow window = windows.window(at(second), seconds(last));
  std::string text;
  for (const SeenTraffic& row : window.rows)
    text += row.to_zone + " " + std::to_string(row.requests) + " ";
  return text + "in " + std::to_string(std::lround(window.seconds));
}

TEST(FlowWindows, ShowWhatWasCountedBetweenReports) {
  const struct {
    const char* what;
    std::vector<Report> reports;
    int second;
    std::string shown;
  } rows[] = {
      {"nobody has reported", {}, 0, "in 0"},
      {"one report tells nothing of when", {{0, {flow("a", 9)}}}, 1, "in 0"},
      {"what came since", {{0, {flow("a", 9)}}, {10, {flow("a", 12)}}}, 11, "a 3 in 10"},
      {"nothing came", {{0, {flow("a", 9)}}, {10, {flow("a", 9)}}}, 11, "in 10"},
      {"a flow that is new",
       {{0, {flow("a", 9)}}, {10, {flow("a", 9), flow("b", 2)}}},
       11,
       "b 2 in 10"},
      {"steps add up",
       {{0, {flow("a", 1)}}, {10, {flow("a", 2)}}, {20, {flow("a", 5)}}},
       21,
       "a 4 in 20"},
      {"ports of a service add up",
       {{0, {flow("a", 1), flow("a", 1)}}, {10, {flow("a", 3), flow("a", 2)}}},
       11,
       "a 3 in 10"},
      {"a proxy that was started anew counts from nothing",
       {{0, {flow("a", 9)}}, {10, {flow("a", 4)}}},
       11,
       "a 4 in 10"},
      {"an endpoint that was away counts from nothing",
       {{0, {flow("a", 9)}}, {10, {}}, {20, {flow("a", 2)}}},
       21,
       "a 2 in 20"},
      {"what is older than the window is left out",
       {{0, {flow("a", 1)}}, {10, {flow("a", 5)}}, {60, {flow("a", 7)}}},
       75,
       "a 2 in 50"},
      {"after a long silence counting begins anew",
       {{0, {flow("a", 1)}}, {100, {flow("a", 900)}}, {110, {flow("a", 903)}}},
       111,
       "a 3 in 10"},
  };
  for (const auto& row : rows) {
    FlowWindows windows;
    for (const Report& report : row.reports) windows.add("n1", at(report.second), report.flows);
    EXPECT_EQ(shown(windows, row.second), row.shown) << row.what;
  }
}

TEST(FlowWindows, PutNodesTogetherAndForgetThoseThatAreGone) {
  FlowWindows windows;
  windows.add("n1", at(0), {flow("a", 0)});
  windows.add("n2", at(1), {flow("a", 100)});
  windows.add("n1", at(10), {flow("a", 3)});
  windows.add("n2", at(21), {flow("a", 105), flow("b", 1)});
  EXPECT_EQ(shown(windows, 22), "a 8 b 1 in 15") << "an average node";
  EXPECT_EQ(windows.window(at(22), seconds(60)).rows.front().address, "10.0.0.1");
  EXPECT_EQ(windows.totals().requests, 9U);
  windows.keep_only({"n2"});
  windows.add("n1", at(23), {flow("a", 9)});
  windows.add("n2", at(24), {flow("a", 106)});
  EXPECT_EQ(shown(windows, 25), "a 9 b 1 in 17") << "one that comes back begins anew";
}

// In any order and number, as a sum that is made in the plainest way.
TEST(FlowWindows, AddUpWhateverComesWhenever) {
  FlowWindows windows;
  std::map<std::string, std::uint64_t> sums;
  std::uint64_t state = 7;
  const auto dice = [&](std::uint64_t sides) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33U) % sides;
  };
  std::map<std::string, std::vector<std::uint64_t>> totals;
  for (int round = 0; round < 6; ++round) {
    for (int n = 0; n < 20; ++n) {
      const std::string node = "n" + std::to_string(n);
      auto& counts = totals[node];
      counts.resize(1500);
      ProxyReport report;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::uint64_t more = dice(3);
        counts[i] += more;
        ReportedFlow one = flow("a", counts[i]);
        one.address = "10.1.0." + std::to_string(i);
        if (round > 0) sums[one.address] += more;
        report.push_back(one);
      }
      windows.add(node, at(round * 8 + n / 4), report);
    }
  }
  std::map<std::string, std::uint64_t> seen;
  for (const SeenTraffic& row : windows.window(at(50), seconds(120)).rows) {
    EXPECT_FALSE(seen.contains(row.address)) << row.address << " is there twice";
    seen[row.address] = row.requests;
  }
  std::erase_if(sums, [](const auto& entry) { return entry.second == 0; });
  EXPECT_EQ(seen, sums);
}

TEST(FlowWindows, TellAnsweredFromUnanswered) {
  FlowWindows windows;
  windows.add("n1", at(0), {});
  ReportedFlow lost = flow("b", 10, 5000);
  lost.count.unanswered = 4;
  windows.add("n1", at(10), {lost});
  const SeenWindow window = windows.window(at(11), seconds(60));
  ASSERT_EQ(window.rows.size(), 1U);
  EXPECT_EQ(window.rows.front().requests, 6U);
  EXPECT_EQ(window.rows.front().failed, 4U);
  EXPECT_EQ(window.rows.front().bytes, 5000U);
  EXPECT_EQ(windows.totals().failed, 4U);
}

TEST(FlowWindows, EndAtTheLargestCountWhenNodesExaggerate) {
  FlowWindows windows;
  windows.add("n1", at(0), {});
  windows.add("n1", at(10), ProxyReport(10, flow("a", 1, 2'000'000'000'000'000'000)));
  const SeenWindow window = windows.window(at(10), seconds(60));
  ASSERT_EQ(window.rows.size(), 1U);
  EXPECT_EQ(window.rows.front().bytes, kLargestCount64);
}

// A node whose endpoints never have the same address twice, and one that is as ever.
TEST(FlowWindows, ForgetNamesThatNothingRefersToAnyMore) {
  constexpr int kHour = 3600;
  constexpr int kFresh = 500;
  FlowWindows windows({.names_kept = 1'000});
  std::uint64_t connections = 0;
  std::size_t most = 0;
  for (int second = 0; second < kHour; second += 10) {
    ProxyReport fresh;
    for (int i = 0; i < kFresh; ++i) {
      fresh.push_back(flow("a", 1));
      fresh.back().service = "t/s" + std::to_string(second) + "-" + std::to_string(i);
      fresh.back().address = "fd00::" + std::to_string(second) + ":" + std::to_string(i);
    }
    windows.add("n1", at(second), fresh);
    windows.add("n2", at(second + 1), {flow("b", connections += 3)});
    most = std::max(most, windows.bytes());
  }
  // 14 steps, and the last report: names and counts of as many rows, and as many names again.
  constexpr std::size_t kBytesOfARow = 300;
  EXPECT_LE(most, 2 * 15 * kFresh * kBytesOfARow);
  const SeenWindow window = windows.window(at(kHour), seconds(60));
  std::uint64_t seen = 0;
  for (const SeenTraffic& row : window.rows) {
    if (row.service != "shop/web") continue;
    EXPECT_EQ(row.address, "10.0.0.2");
    EXPECT_EQ(row.to_zone, "b");
    seen += row.requests;
  }
  EXPECT_EQ(seen, 6 * 3U) << "who is as ever is measured as ever";
  EXPECT_EQ(windows.totals().requests, 3U * (kHour / 10 - 1) + kFresh * (kHour / 10 - 1));
}

TEST(FlowWindows, BeginAnewWhereNodesReportTooMuch) {
  FlowWindows windows({.names_kept = 10, .bytes_max = 20'000});
  const auto report = [](int count, std::uint64_t connections) {
    ProxyReport flows;
    for (int i = 0; i < count; ++i) {
      flows.push_back(flow("a", connections));
      flows.back().address = "10.0.1." + std::to_string(i);
    }
    return flows;
  };
  windows.add("n1", at(0), report(1'000, 1));
  EXPECT_GT(windows.bytes(), 20'000U) << "one report is always taken";
  windows.add("n2", at(1), {flow("b", 5)});
  EXPECT_LT(windows.bytes(), 1'000U);
  windows.add("n2", at(11), {flow("b", 7)});
  EXPECT_EQ(shown(windows, 12), "b 2 in 10");
}

}  // namespace
}  // namespace proxima::web
