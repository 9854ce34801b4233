// SPDX-License-Identifier: Apache-2.0
// What `explain` says is what the proxy routes, over random worlds. PROXIMA_WORLDS sets how many,
// PROXIMA_SEED the first; a failure names its seed, so that PROXIMA_SEED=… PROXIMA_WORLDS=1 shows
// it alone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <set>

#include "core/plan/explain.h"
#include "published_world.h"

namespace proxima::truth {
namespace {

// The proxy has whole millionths.
constexpr double kRounding = 0.00001;
// As proxy/slot_assignment.h promises.
constexpr double kSlotStep = 0.0205;
constexpr std::size_t kShownFailures = 3;

std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* given = std::getenv(name);
  return given == nullptr ? fallback : std::strtoull(given, nullptr, 10);
}

double farthest(const Shares& a, const Shares& b) {
  double worst = 0;
  for (const auto& [address, share] : a) {
    const auto other = b.find(address);
    worst = std::max(worst, std::abs(share - (other == b.end() ? 0 : other->second)));
  }
  for (const auto& [address, share] : b) {
    if (!a.contains(address)) worst = std::max(worst, share);
  }
  return worst;
}

std::string show(const char* who, const Answer& answer) {
  std::string out = std::string(who) + ": " + answer.why;
  for (const auto& [address, share] : answer.shares)
    out += "\n    " + address + " " + std::to_string(share);
  return out;
}

// "" when all agree. Half-written slices say another thing than the plan does.
std::string disagreement(const World& world, Moment moment) {
  const PublishedWorld published(world, moment);
  for (const IpFamily family : published.families()) {
    for (std::size_t node = 0; node < world.nodes.size(); ++node) {
      const proxy::RouteTable routes = published.routes(node, family);
      const Answer done = PublishedWorld::routed(routes);
      const auto differs = [&](const char* who, const Answer& said, double step) {
        if (farthest(said.shares, done.shares) <= step) return std::string();
        return describe(world) + published.annotations() + "\nfrom node-" + std::to_string(node) +
               "\n" + show(who, said) + "\n" + show("proxy", done);
      };
      std::string problem =
          differs("slots", PublishedWorld::in_slots(routes), kSlotStep) +
          differs("explain, by the slices",
                  published.explained(node, family, plan::RouteSource::Published), kRounding);
      if (moment == Moment::Settled)
        problem += differs("explain, by the plan",
                           published.explained(node, family, plan::RouteSource::Plan),
                           plan::kPublishedStep);
      if (!problem.empty()) return problem;
    }
  }
  return "";
}

void expect_agreement(Moment moment) {
  const std::uint64_t worlds = setting("PROXIMA_WORLDS", 10'000);
  const std::uint64_t seed = setting("PROXIMA_SEED", 1);
  std::cout << "PROXIMA_WORLDS=" << worlds << " PROXIMA_SEED=" << seed << '\n';
  std::size_t failed = 0;
  for (std::uint64_t i = 0; i < worlds; ++i) {
    const std::string problem = disagreement(random_world(seed + i), moment);
    if (problem.empty()) continue;
    if (++failed <= kShownFailures) ADD_FAILURE() << problem;
  }
  EXPECT_EQ(failed, 0U) << "of " << worlds << " worlds";
}

TEST(OneTruth, ExplainSaysWhatTheProxyRoutes) { expect_agreement(Moment::Settled); }

TEST(OneTruth, ExplainSaysWhatTheProxyRoutesWhileSlicesAreHalfWritten) {
  expect_agreement(Moment::HalfWritten);
}

}  // namespace
}  // namespace proxima::truth
