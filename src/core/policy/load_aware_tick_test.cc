// SPDX-License-Identifier: Apache-2.0
#include "core/policy/load_aware_tick.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace proxima::policy {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kHealthyView = static_cast<std::size_t>(HostView::Healthy);
constexpr std::size_t kDegradedView = static_cast<std::size_t>(HostView::Degraded);
constexpr std::size_t kAllView = static_cast<std::size_t>(HostView::All);

// "3@0.5 2": a locality of three hosts that report 0.5 each at time 0, and one of two silent hosts.
// A locality's identity is its position.
LoadAwareHosts hosts(std::string_view text, bool has_local) {
  LoadAwareHosts result{.has_local = has_local, .buckets = {}};
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    std::istringstream in(word);
    std::size_t count = 0;
    char at = 0;
    double utilization = 0;
    LoadAwareHost host;
    in >> count;
    if (in >> at >> utilization) host.sample = UtilizationSample{utilization, milliseconds(0)};
    const auto identity = static_cast<std::uint32_t>(result.buckets.size());
    result.buckets.push_back({Locality(identity), std::vector<LoadAwareHost>(count, host)});
  }
  return result;
}

std::vector<double> weights(const LoadAwareTick& tick, std::size_t view, std::size_t size) {
  std::vector<double> result(size);
  for (const auto& [locality, weight] : tick.published[0][view].weights) {
    result[locality.value()] = weight;
  }
  return result;
}

LoadAwareTick ticked(const LoadAwareHosts& given, const LoadAwareParameters& parameters,
                     std::span<const LoadAwareMemory> before = {}, milliseconds now = {}) {
  return load_aware_tick({&given, 1}, before, parameters, now);
}

TEST(LoadAwareTick, WeighsByHeadroomAndPrefersHome) {
  constexpr bool kHome = true;
  constexpr bool kNoHome = false;
  const LoadAwareParameters kPlain{.remote_probe_fraction = 0};
  const LoadAwareParameters kProbe{.remote_probe_fraction = 0.03};
  const struct {
    const char* name;
    const char* given;
    bool has_local;
    const LoadAwareParameters& parameters;
    std::vector<double> weights;
    bool all_local;
  } cases[] = {
      {"no home: hosts times headroom", "10@0.5 2@0.5", kNoHome, kPlain, {5, 1}, false},
      {"home is much hotter: it spills", "10@0.7 10@0.3 10@0.4", kHome, kPlain, {3, 7, 6}, false},
      {"home is a little hotter: all stays", "1@0.45 1@0.4", kHome, kPlain, {1, 0}, true},
      {"exactly at the slack: all stays", "1@0.5 1@0.4", kHome, kPlain, {1, 0}, true},
      {"a saturated home may keep all", "1@1 1@0.95", kHome, kPlain, {1, 0}, true},
      {"no headroom anywhere: by hosts", "3@1 1@1", kHome, kPlain, {3, 1}, false},
      {"nobody reports: all stays but the probe", "1 1", kHome, kProbe, {0.97, 0.03}, false},
      {"the probe goes by hosts", "1 1 3", kHome, kProbe, {0.97, 0.0075, 0.0225}, false},
      {"spilling covers the probe already", "1@0.9 1@0.2", kHome, kProbe, {0.1, 0.8}, false},
      {"home alone has nobody to probe", "2@0.5", kHome, kProbe, {1}, false},
      {"home without hosts has no say", "0 2@0.5", kHome, kPlain, {0, 1}, false},
      {"nobody there", "0 0", kHome, kProbe, {0, 0}, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const LoadAwareTick tick = ticked(hosts(c.given, c.has_local), c.parameters);
    const auto got = weights(tick, kHealthyView, c.weights.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], c.weights[i], 1e-12);
    EXPECT_EQ(tick.published[0][kHealthyView].all_local, c.all_local);
  }
}

TEST(LoadAwareTick, SmoothsWhatItRemembersAndCarriesOnWhatWentSilent) {
  const LoadAwareParameters parameters{
      .ewma_alpha = 0.25, .remote_probe_fraction = 0, .weight_expiration = milliseconds(1000)};
  const LoadAwareTick first = ticked(hosts("1@0.8 4", false), parameters);
  EXPECT_DOUBLE_EQ(first.memory[0][kHealthyView].at(Locality(0)), 0.8);
  EXPECT_FALSE(first.memory[0][kHealthyView].contains(Locality(1))) << "silence is not a report";
  EXPECT_EQ(first.counters.stale_localities, 0u);

  const LoadAwareTick second = ticked(hosts("1@0.4 4", false), parameters, first.memory);
  EXPECT_DOUBLE_EQ(second.memory[0][kHealthyView].at(Locality(0)), 0.25 * 0.4 + 0.75 * 0.8);

  // Expired: remembered, but weighed as if idle.
  const LoadAwareTick third =
      ticked(hosts("1@0.4 4", false), parameters, second.memory, milliseconds(1001));
  EXPECT_EQ(third.memory, second.memory);
  EXPECT_EQ(weights(third, kHealthyView, 2), (std::vector<double>{1, 4}));
  EXPECT_EQ(third.counters.stale_localities, 1u);

  const LoadAwareTick gone = ticked(hosts("", false), parameters, third.memory);
  EXPECT_TRUE(gone.memory[0][kHealthyView].empty());
}

TEST(LoadAwareTick, ASampleIsValidUpToItsExpirationAndAtTimeZero) {
  const LoadAwareParameters parameters{.remote_probe_fraction = 0,
                                       .weight_expiration = milliseconds(1000)};
  const auto given = hosts("1@0.9 1@0.1", false);
  const auto weight = [&](std::int64_t now) {
    return weights(ticked(given, parameters, {}, milliseconds(now)), kHealthyView, 2)[0];
  };
  EXPECT_NEAR(weight(0), 0.1, 1e-12);
  EXPECT_NEAR(weight(1000), 0.1, 1e-12);
  EXPECT_EQ(weight(1001), 1);
}

TEST(LoadAwareTick, HealthyDegradedAndAllHostsAreWeighedOnTheirOwn) {
  auto given = hosts("3 3", false);
  given.buckets[0].hosts[0].health = HostHealth::Degraded;
  given.buckets[1].hosts[0].health = HostHealth::Unhealthy;
  const LoadAwareTick tick = ticked(given, {.remote_probe_fraction = 0});
  EXPECT_EQ(weights(tick, kHealthyView, 2), (std::vector<double>{2, 2}));
  EXPECT_EQ(weights(tick, kDegradedView, 2), (std::vector<double>{1, 0}));
  EXPECT_EQ(weights(tick, kAllView, 2), (std::vector<double>{3, 3}));
}

TEST(LoadAwareTick, CountsEachEventOnceATickOverAllPrioritiesAndViews) {
  const LoadAwareHosts priorities[] = {hosts("1@0.9 1@0.1", true), hosts("1@0.1 1@0.1", true),
                                       hosts("1@1 1@1", true)};
  const LoadAwareTick tick = load_aware_tick(priorities, {}, {.remote_probe_fraction = 0.03}, {});
  EXPECT_TRUE(tick.counters.spill_active);
  EXPECT_TRUE(tick.counters.local_preferred);
  EXPECT_TRUE(tick.counters.all_overloaded);
  EXPECT_TRUE(tick.counters.probe_active);
  EXPECT_EQ(tick.published.size(), 3u);
}

}  // namespace
}  // namespace proxima::policy
