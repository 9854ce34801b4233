// SPDX-License-Identifier: Apache-2.0
#include "web/load_window.h"

#include <gtest/gtest.h>

#include <functional>

namespace proxima::web {
namespace {

constexpr std::int64_t kStart = 1000;
constexpr std::int64_t kSettle = 1;

LiveState two_zones() {
  LiveState state;
  state.lab = true;
  for (const char* zone : {"a", "b"})
    state.zones.push_back({.name = zone, .failed = false, .demand = 0.5});
  for (const char* node : {"node-1", "node-2"}) {
    NodePicture picture;
    picture.name = node;
    picture.ready = true;
    state.nodes.push_back(picture);
  }
  for (const char* name : {"web", "other"}) {
    ServicePicture service{.ns = "shop", .name = name};
    service.plan.policy = "balanced";
    service.plan.overload = 0.2;
    service.plan.split = true;
    for (const char* pod : {"shop/1", "shop/2"})
      service.plan.endpoints.push_back({.pod = pod, .fair_share = 0.5, .load = 1});
    state.services.push_back(std::move(service));
  }
  return state;
}

PlanPicture& web_plan(LiveState& state) { return state.services.front().plan; }

struct Change {
  const char* name;
  bool begins_anew;
  std::function<void(LiveState&)> change;
};

// clang-format off
const Change kChanges[] = {
    {"nothing", false, [](LiveState&) {}},
    {"a cordon, which moves no request", false, [](LiveState& s) { s.nodes[0].cordoned = true; }},
    {"another reason for the same plan", false, [](LiveState& s) { web_plan(s).why.text = "other words"; }},
    {"the measured rate", false, [](LiveState& s) { s.zones[0].requests_per_second = 12; }},
    {"a plan that breathes with measured demand", false, [](LiveState& s) { web_plan(s).endpoints[0].load = 1.015; }},
    {"a planned load", true, [](LiveState& s) { web_plan(s).endpoints[0].load = 1.2; }},
    {"the fair shares", true, [](LiveState& s) { web_plan(s).endpoints[0].fair_share = 0.4; }},
    {"an endpoint that is there again", true, [](LiveState& s) { web_plan(s).endpoints.push_back({.pod = "shop/3", .load = 1}); }},
    {"an endpoint in the place of another", true, [](LiveState& s) { web_plan(s).endpoints[1].pod = "shop/9"; }},
    {"an endpoint without a Pod that moves", true, [](LiveState& s) { web_plan(s).endpoints[1].pod = ""; web_plan(s).endpoints[1].address = "10.0.0.9"; }},
    {"the policy", true, [](LiveState& s) { web_plan(s).policy = "auto"; }},
    {"the bound", true, [](LiveState& s) { web_plan(s).overload = 0.5; }},
    {"hints that end", true, [](LiveState& s) { web_plan(s).hinted = true; }},
    {"the split", true, [](LiveState& s) { web_plan(s).split = false; }},
    {"the demand of clients", true, [](LiveState& s) { s.zones[0].demand = 0.8; s.zones[1].demand = 0.2; }},
    {"a zone that fails", true, [](LiveState& s) { s.zones[1].failed = true; }},
    {"a node without power", true, [](LiveState& s) { s.nodes[1].power = false; }},
    {"a node that is not ready", true, [](LiveState& s) { s.nodes[1].ready = false; }},
};
// clang-format on

TEST(LoadWindow, BeginsAnewWithWhatLoadsDependOn) {
  for (const Change& row : kChanges) {
    const LoadWindows first = next_windows({}, two_zones(), kStart, kSettle);
    LiveState later = two_zones();
    row.change(later);
    const LoadWindows second = next_windows(first, later, kStart + 20, kSettle);
    const LoadWindow& window = second.at("shop/web");
    EXPECT_EQ(window.begin > first.at("shop/web").begin, row.begins_anew) << row.name;
    EXPECT_EQ(seconds_of(window, kStart + 20), row.begins_anew ? 0 : 18) << row.name;
  }
}

TEST(LoadWindow, GoesOnWhereNodesOfAClusterComeAndGo) {
  LiveState cluster = two_zones();
  cluster.lab = false;
  const LoadWindows first = next_windows({}, cluster, kStart, kSettle);
  cluster.nodes[1].ready = false;
  const LoadWindows second = next_windows(first, cluster, kStart + 20, kSettle);
  EXPECT_EQ(seconds_of(second.at("shop/web"), kStart + 20), 18);
}

TEST(LoadWindow, OfAnotherServiceGoesOn) {
  const LoadWindows first = next_windows({}, two_zones(), kStart, kSettle);
  LiveState later = two_zones();
  web_plan(later).endpoints[0].load = 1.2;
  const LoadWindows second = next_windows(first, later, kStart + 20, kSettle);
  EXPECT_EQ(seconds_of(second.at("shop/web"), kStart + 20), 0);
  EXPECT_EQ(seconds_of(second.at("shop/other"), kStart + 20), 18);
}

TEST(LoadWindow, CountsNeitherTheSecondOfTheChangeNorTheOneInWhichProxiesFollow) {
  const LoadWindow window = next_windows({}, two_zones(), kStart, kSettle).at("shop/web");
  const std::pair<std::int64_t, int> rows[] = {
      {0, 0}, {1, 0}, {2, 0}, {3, 1}, {12, 10}, {122, 120}, {1000, kLoadWindowSeconds}};
  for (const auto& [later, counted] : rows)
    EXPECT_EQ(seconds_of(window, kStart + later), counted) << later;
}

// Small steps add up: each is compared with where the window began, not with the one before.
TEST(LoadWindow, DriftsNoFurtherThanOneStep) {
  LoadWindows windows = next_windows({}, two_zones(), kStart, kSettle);
  LiveState state = two_zones();
  for (int step = 1; step <= 3; ++step) {
    web_plan(state).endpoints[0].load += 0.008;
    windows = next_windows(std::move(windows), state, kStart + step, kSettle);
  }
  EXPECT_EQ(windows.at("shop/web").begin, kStart + 3 + 1 + kSettle);
}

TEST(LoadWindow, IsForgottenWithItsService) {
  LoadWindows windows = next_windows({}, two_zones(), kStart, kSettle);
  LiveState state = two_zones();
  state.services.pop_back();
  windows = next_windows(std::move(windows), state, kStart + 1, kSettle);
  EXPECT_EQ(windows.count("shop/other"), 0U);
  EXPECT_EQ(windows.size(), 1U);
}

}  // namespace
}  // namespace proxima::web
