// SPDX-License-Identifier: Apache-2.0
#include "web/measured_traffic.h"

#include <gtest/gtest.h>

#include "base/whole_number.h"
#include "web/load_window.h"

namespace proxima::web {
namespace {

struct Endpoint {
  const char* pod;
  double fair_share;
  std::uint64_t requests;  // of the window of loads
};

SeenTraffic answered(const Endpoint& endpoint) {
  return {.service = "shop/web",
          .from_zone = "a",
          .to_zone = "a",
          .pod = endpoint.pod,
          .requests = endpoint.requests};
}

LiveState measured_state(const std::vector<Endpoint>& endpoints, int load_seconds) {
  LiveState state;
  ServicePicture service{.ns = "shop", .name = "web"};
  MeasuredWindows windows;
  windows.flow_seconds = 1;
  for (const Endpoint& endpoint : endpoints) {
    service.plan.endpoints.push_back({.pod = std::string("shop/") + endpoint.pod,
                                      .zone = "a",
                                      .fair_share = endpoint.fair_share});
    windows.flows.push_back(answered(endpoint));
    windows.loads.push_back(answered(endpoint));
  }
  state.services.push_back(std::move(service));
  windows.load_seconds["shop/web"] = load_seconds;
  add_measured(windows, plan::ClusterPlan{}, {.per_unit = 0.02}, state);
  return state;
}

MeasuredPicture measured(const std::vector<Endpoint>& endpoints, int load_seconds = 30) {
  return *measured_state(endpoints, load_seconds).services.front().measured;
}

TEST(MeasuredTraffic, LoadsAreMeasuredByTheFairShareOfThoseThatHaveOne) {
  const struct {
    const char* name;
    std::vector<Endpoint> endpoints;
    std::vector<double> loads;
    double worst_overload;
  } cases[] = {
      // clang-format off
      {"all alike", {{"1", 0.5, 100}, {"2", 0.5, 100}}, {1, 1}, 0},
      {"one carries more", {{"1", 0.5, 120}, {"2", 0.5, 80}}, {1.2, 0.8}, 0.2},
      {"a heavier one may", {{"1", 0.75, 150}, {"2", 0.25, 50}}, {1, 1}, 0},
      {"what one that is not ready got before is nobody's load", {{"1", 0.5, 120}, {"2", 0.5, 80}, {"3", 0, 100}}, {1.2, 0.8, 0}, 0.2},
      // clang-format on
  };
  for (const auto& c : cases) {
    const MeasuredPicture picture = measured(c.endpoints);
    ASSERT_EQ(picture.endpoints.size(), c.loads.size()) << c.name;
    for (std::size_t i = 0; i < c.loads.size(); ++i)
      EXPECT_NEAR(picture.endpoints[i].load.value(), c.loads[i], 1e-9)
          << c.name << ", endpoint " << i;
    EXPECT_NEAR(picture.worst_overload.value(), c.worst_overload, 1e-9) << c.name;
  }
}

TEST(MeasuredTraffic, EndsAtTheLargestCountWhenNodesExaggerate) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
  const MeasuredPicture picture = measured({{"1", 0.5, kHalf}, {"2", 0.5, kHalf}, {"1", 0, kHalf}});
  EXPECT_DOUBLE_EQ(picture.requests_per_second, static_cast<double>(kLargestCount64));
  ASSERT_EQ(picture.flows.size(), 1U);
  EXPECT_DOUBLE_EQ(picture.flows.front().share, 1);
  EXPECT_DOUBLE_EQ(picture.endpoints.front().requests_per_second,
                   static_cast<double>(kLargestCount64));
}

TEST(MeasuredTraffic, TooFewRequestsAreNoFigure) {
  const struct {
    const char* name;
    std::vector<Endpoint> endpoints;
    int seconds;
    bool has_figure;
  } cases[] = {
      // clang-format off
      {"nobody was asked", {{"1", 0.5, 0}, {"2", 0.5, 0}}, 30, false},
      {"a few", {{"1", 0.5, 20}, {"2", 0.5, 10}}, 30, false},
      {"one less than enough", {{"1", 0.5, 119}, {"2", 0.5, 80}}, 30, false},
      {"enough", {{"1", 0.5, 120}, {"2", 0.5, 80}}, 30, true},
      {"those of one that is not ready do not count", {{"1", 0.5, 60}, {"2", 0.5, 40}, {"3", 0, 100}}, 30, false},
      {"a few, but the window grows no more", {{"1", 0.5, 20}, {"2", 0.5, 10}}, kLoadWindowSeconds, true},
      {"nobody in the longest window", {{"1", 0.5, 0}, {"2", 0.5, 0}}, kLoadWindowSeconds, false},
      // clang-format on
  };
  for (const auto& c : cases) {
    const LiveState state = measured_state(c.endpoints, c.seconds);
    const MeasuredPicture& picture = *state.services.front().measured;
    EXPECT_EQ(picture.worst_overload.has_value(), c.has_figure) << c.name;
    EXPECT_EQ(picture.endpoints.front().load.has_value(), c.has_figure) << c.name;
    EXPECT_EQ(state.totals->worst_overload.has_value(), c.has_figure) << c.name;
    EXPECT_EQ(state.totals->measuring, c.has_figure ? 0U : 1U) << c.name;
    EXPECT_EQ(picture.load_seconds, c.seconds) << c.name;
  }
}

// Where connections are counted, endpoints are known by their addresses, of any family.
TEST(MeasuredTraffic, FindsPodsByTheAddressesOfEndpoints) {
  ServicePicture service{.ns = "shop", .name = "web"};
  service.plan.endpoints = {
      {.pod = "shop/1", .address = "10.0.0.1", .zone = "a", .fair_share = 0.5},
      {.pod = "", .address = "10.9.9.9", .zone = "b", .fair_share = 0.5}};
  service.other_families.push_back({.family = "IPv6", .endpoints = 1, .plan = {}});
  service.other_families.front().plan.endpoints = {{.pod = "shop/1", .address = "fd00::1"}};
  LiveState state;
  state.pods.push_back({.ns = "shop", .name = "1"});
  state.services.push_back(service);
  const auto seen = [](const char* from, const char* to, const char* address,
                       std::uint64_t requests) {
    return SeenTraffic{.service = "shop/web",
                       .from_zone = from,
                       .to_zone = to,
                       .address = address,
                       .requests = requests,
                       .bytes = 1000};
  };
  MeasuredWindows windows;
  windows.flow_seconds = 10;
  windows.flows = {seen("a", "a", "10.0.0.1", 30), seen("a", "a", "fd00::1", 30),
                   seen("a", "b", "10.9.9.9", 20), seen("outside", "a", "10.0.0.1", 100),
                   seen("", "", "10.0.0.8", 20)};
  windows.loads = windows.flows;
  windows.load_seconds["shop/web"] = kLoadWindowSeconds;
  add_measured(windows, plan::empty_plan(std::make_shared<const model::Snapshot>(), {}),
               {.per_unit = 0.02}, state);
  const MeasuredPicture& measured = *state.services.front().measured;
  EXPECT_DOUBLE_EQ(measured.local, 0.6) << "what comes from outside and what nobody knows is not";
  EXPECT_DOUBLE_EQ(measured.requests_per_second, 10);
  EXPECT_DOUBLE_EQ(measured.endpoints[0].requests_per_second, 16) << "with those from outside";
  EXPECT_DOUBLE_EQ(measured.endpoints[1].requests_per_second, 2);
  EXPECT_NEAR(measured.endpoints[0].load.value(), 160.0 / 90, 1e-9);
  EXPECT_DOUBLE_EQ(state.pods.front().requests_per_second.value(), 16);
  const double month_of_4000_bytes = 4000.0 / 10 * 730 * 3600 / 1e9;
  EXPECT_NEAR(state.services.front().cost->gigabytes_per_month, month_of_4000_bytes, 1e-9);
}

// 120 requests of which 100 are fair: chance moves 120 by its root.
TEST(MeasuredTraffic, AnOverloadIsToldWithWhatChanceMakesOfIt) {
  EXPECT_NEAR(measured({{"1", 0.5, 120}, {"2", 0.5, 80}}).overload_margin, 0.1095, 1e-4);
  EXPECT_NEAR(measured({{"1", 0.5, 12000}, {"2", 0.5, 8000}}).overload_margin, 0.01095, 1e-5);
}

}  // namespace
}  // namespace proxima::web
