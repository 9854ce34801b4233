// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_aware.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "core/policy/zone_routing.h"
#include "support/zones.h"

namespace proxima::policy {
namespace {

using test::place_of;
using test::places;

struct Row {
  Note why;
  double no_host = 0;
  std::vector<double> shares;
};

Row row_of(std::span<const ZoneAwarePlace> world, std::optional<std::size_t> own,
           const ZoneAwareConfig& config) {
  std::vector<double> shares(world.size());
  const ZoneAwareRow row = zone_aware_row(world, own, config, shares);
  return {row.why, row.no_host, shares};
}

std::string written(const std::vector<double>& shares) {
  std::string text;
  for (const double share : shares) {
    char word[32];
    std::snprintf(word, sizeof word, "%s%.4g", text.empty() ? "" : " ", share);
    text += word;
  }
  return text;
}

TEST(ZoneAware, RowsCarryTheReasonThatDecided) {
  using R = Reason;
  const ZoneAwareConfig kOn{.min_cluster_size = 1};
  const ZoneAwareConfig kSix{};
  const ZoneAwareConfig kOff{.routing_enabled_percent = 0, .min_cluster_size = 1};
  const ZoneAwareConfig kHalf{.routing_enabled_percent = 50, .min_cluster_size = 1};
  const ZoneAwareConfig kFail{.min_cluster_size = 1, .fail_traffic_on_panic = true};
  const ZoneAwareConfig kForce{.min_cluster_size = 1, .force_local_zone_min_size = 0};
  const ZoneAwareConfig kWeights{.min_cluster_size = 1, .basis = LocalityBasis::HealthyHostsWeight};
  const ZoneAwareConfig kEqual{.min_cluster_size = 1, .require_equal_zone_number = true};
  const ZoneAwareConfig kNoPanic{.min_cluster_size = 1, .panic_threshold_percent = 0};
  const struct {
    const char* name;
    char own;
    const char* originating;
    const char* upstream;
    const ZoneAwareConfig& config;
    const char* row;
    double no_host;
    Reason reason;
  } cases[] = {
      // clang-format off
      {"all stays", 'A', "A1 B1", "A3 B3", kOn, "1 0", 0, R::ZoneAwareDirect},
      {"home need not be the first place", 'B', "A1 B1", "A3 B3", kOn, "0 1", 0, R::ZoneAwareDirect},
      {"all is made to stay", 'A', "A1 B1", "A1 B3", ZoneAwareConfig{.min_cluster_size = 1, .force_local_zone_min_size = 1}, "1 0", 0, R::ZoneAwareForcedLocal},
      {"a part stays", 'A', "A1 B1 C1", "A1 B2 C2", kOn, "0.6 0.2 0.2", 0, R::ZoneAwareResidual},
      {"a zone in between has nothing to spare", 'B', "A1 B1", "A1 B1 C1", kOn, "0 0.6666 0.3334", 0, R::ZoneAwareResidual},
      {"nothing is left over", 'A', "A45000 B55000", "A44999 B55001", kOn, "0.9999 0.00015", 0, R::ZoneAwareNoCapacityLeft},
      {"weights count when they are the basis", 'A', "A2x100 B1x200", "A1x100 B1x100", kWeights, "1 0", 0, R::ZoneAwareDirect},
      {"and not otherwise", 'A', "A2x100 B1x200", "A1x100 B1x100", kOn, "0.75 0.25", 0, R::ZoneAwareResidual},
      {"a flat list is shared by hosts", 'A', "A1 B1", "A1x9 B3x1", kSix, "0.25 0.75", 0, R::ZoneAwareClusterTooSmall},
      {"or by weight", 'A', "A1", "A1x9 B3x1", kWeights, "0.75 0.25", 0, R::ZoneAwareOriginatingSingleZone},
      {"one upstream zone", 'A', "A1 B1", "B3", kOn, "0 1", 0, R::ZoneAwareUpstreamSingleZone},
      {"no home", '-', "A1 B1", "A3 B3", kOn, "0.5 0.5", 0, R::ZoneAwareOwnZoneUnknown},
      {"unequal zones", 'A', "A1 B1", "A2 B1 C1", kEqual, "0.5 0.25 0.25", 0, R::ZoneAwareZoneNumberDiffers},
      {"switched off", 'A', "A1 B1", "A1 B3", kOff, "0.25 0.75", 0, R::ZoneAwareDisabled},
      {"half switched off", 'A', "A1 B1", "A1 B3", kHalf, "0.375 0.625", 0, R::ZoneAwareResidual},
      {"too few endpoints are well", 'A', "A1 B1", "A1+5u B1+1u", kOn, "0.75 0.25", 0, R::ZoneAwareUpstreamPanic},
      {"and that is to fail", 'A', "A1 B1", "A1+5u B1+1u", kFail, "0 0", 1, R::ZoneAwareFailsInPanic},
      {"too few clients are well", 'A', "A1 B1+9u", "A3 B1", kOn, "0.75 0.25", 0, R::ZoneAwareOriginatingPanic},
      {"and that is to fail as well", 'A', "A1 B1+9u", "A3 B1", kFail, "0 0", 1, R::ZoneAwareFailsInPanic},
      {"a zone without hosts is forced", 'A', "A1 B1", "A0+1u B3", kForce, "0 0", 1, R::ZoneAwareForcedLocal},
      {"nothing is well and panic is off", 'A', "A1 B1", "A0+1u B0+3u", kNoPanic, "0 0", 1, R::NoneReady},
      {"there are no endpoints", 'A', "A1 B1", "", kOn, "0 0", 1, R::NoneReady},
      {"degraded requests follow the healthy zones", 'A', "A1 B1", "A3 B0+3d+3u", kOn, "0.5 0", 0.5, R::ZoneAwareDirect},
      // clang-format on
  };
  std::set<Reason> seen;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto world = places(c.originating, c.upstream);
    const Row got = row_of(world, place_of(c.own), c.config);
    EXPECT_EQ(written(got.shares), c.row);
    EXPECT_NEAR(got.no_host, c.no_host, 1e-12);
    EXPECT_EQ(got.why.reason, c.reason);
    seen.insert(c.reason);
  }
  for (int r = static_cast<int>(R::ZoneAwareDirect);
       r <= static_cast<int>(R::ZoneAwareFailsInPanic); ++r) {
    EXPECT_TRUE(seen.contains(static_cast<Reason>(r))) << "no row for reason " << r;
  }
}

TEST(ZoneAware, ReasonsCarryTheirFacts) {
  const Note small = row_of(places("A1 B1", "A1 B1"), 0, {}).why;
  EXPECT_EQ(small.count, 2);
  EXPECT_EQ(small.limit, 6);
  const Note part = row_of(places("A1 B1 C1", "A1 B2 C2"), 0, {.min_cluster_size = 1}).why;
  EXPECT_EQ(part.share, 0.6);
  EXPECT_EQ(part.zones, 3);
  const Note panic = row_of(places("A1 B1", "A1+3u B1+3u"), 0, {}).why;
  EXPECT_EQ(panic.share, 0.25);
  EXPECT_EQ(panic.limit, 0.5);
}

TEST(ZoneAware, WeightsThatAreNotGivenAreOne) {
  auto world = places("A1 B1", "A1 B3");
  const ZoneAwareConfig config{.min_cluster_size = 1, .basis = LocalityBasis::HealthyHostsWeight};
  const Row given = row_of(world, 0, config);
  for (ZoneAwarePlace& place : world) {
    place.originating_healthy_weight = 0;
    place.upstream_healthy_weight = place.upstream_total_weight = 0;
    place.upstream_degraded_weight = place.upstream_excluded_weight = 0;
  }
  EXPECT_EQ(row_of(world, 0, config).shares, given.shares);
}

TEST(ZoneAware, MoreZonesThanFitTheStackGiveTheSameAnswer) {
  std::vector<ZoneAwarePlace> world(200);
  for (ZoneAwarePlace& place : world) {
    place.originating_total = place.originating_healthy = 1;
    place.upstream_total = place.upstream_healthy = 2;
  }
  EXPECT_EQ(row_of(world, 150, {}).shares[150], 1);
  world[150].upstream_total = world[150].upstream_healthy = 1;
  const Row row = row_of(world, 150, {});
  // 1 of 399 is 25, 1 of 200 is 50; each of the others has 50, so none has capacity to spare.
  EXPECT_EQ(row.why.reason, Reason::ZoneAwareNoCapacityLeft);
  EXPECT_NEAR(row.shares[150], 0.5 + 0.5 / 200, 1e-12);
}

// Properties on random worlds. One seed, printed when something is wrong.
class RandomWorlds : public ::testing::Test {
 protected:
  static constexpr unsigned kSeed = 20260822;
  static constexpr int kWorlds = 3000;

  std::uint64_t up_to(std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most)(random_);
  }
  ZoneAwarePlace place() {
    ZoneAwarePlace p;
    p.originating_healthy = up_to(6);
    p.originating_total = p.originating_healthy + up_to(2);
    p.upstream_healthy = up_to(9);
    p.upstream_degraded = up_to(2);
    p.upstream_excluded = up_to(1);
    p.upstream_total = p.upstream_healthy + p.upstream_degraded + p.upstream_excluded + up_to(2);
    return p;
  }
  std::vector<ZoneAwarePlace> world() {
    std::vector<ZoneAwarePlace> result(2 + up_to(4));
    for (ZoneAwarePlace& p : result) p = place();
    return result;
  }
  ZoneAwareConfig config() {
    ZoneAwareConfig c{.min_cluster_size = up_to(6)};
    if (up_to(3) == 0) c.force_local_zone_min_size = static_cast<std::uint32_t>(up_to(3));
    c.routing_enabled_percent = up_to(2) == 0 ? static_cast<double>(up_to(100)) : 100;
    c.panic_threshold_percent = static_cast<double>(up_to(100));
    c.fail_traffic_on_panic = up_to(3) == 0;
    return c;
  }
  template <class Property>
  void for_each_world(Property property) {
    for (int i = 0; i < kWorlds && !HasFailure(); ++i) {
      SCOPED_TRACE("seed " + std::to_string(kSeed) + ", world " + std::to_string(i));
      property();
    }
  }
  void expect_equal(const Row& a, const Row& b) {
    EXPECT_EQ(a.why.reason, b.why.reason);
    EXPECT_NEAR(a.no_host, b.no_host, 1e-12);
    for (std::size_t i = 0; i < a.shares.size(); ++i) EXPECT_NEAR(a.shares[i], b.shares[i], 1e-12);
  }

  std::mt19937_64 random_{kSeed};
};

TEST_F(RandomWorlds, SharesAndWhatFindsNoHostSumToOne) {
  for_each_world([&] {
    const auto w = world();
    const Row row = row_of(w, up_to(w.size() - 1), config());
    EXPECT_NEAR(std::accumulate(row.shares.begin(), row.shares.end(), row.no_host), 1, 1e-12);
    EXPECT_GE(*std::min_element(row.shares.begin(), row.shares.end()), 0);
  });
}

TEST_F(RandomWorlds, TwiceTheHostsIsTheSameAnswer) {
  for_each_world([&] {
    auto w = world();
    ZoneAwareConfig c = config();
    c.min_cluster_size = 0;
    c.force_local_zone_min_size.reset();
    const std::size_t own = up_to(w.size() - 1);
    const Row once = row_of(w, own, c);
    for (ZoneAwarePlace& p : w) {
      p.originating_healthy *= 2;
      p.originating_total *= 2;
      p.upstream_healthy *= 2;
      p.upstream_degraded *= 2;
      p.upstream_excluded *= 2;
      p.upstream_total *= 2;
    }
    expect_equal(once, row_of(w, own, c));
  });
}

TEST_F(RandomWorlds, EqualWeightsAreCounts) {
  for_each_world([&] {
    auto w = world();
    ZoneAwareConfig c = config();
    const std::size_t own = up_to(w.size() - 1);
    const Row counted = row_of(w, own, c);
    for (ZoneAwarePlace& p : w) {
      p.originating_healthy_weight = 7 * p.originating_healthy;
      p.upstream_healthy_weight = 7 * p.upstream_healthy;
      p.upstream_degraded_weight = 7 * p.upstream_degraded;
      p.upstream_excluded_weight = 7 * p.upstream_excluded;
      p.upstream_total_weight = 7 * p.upstream_total;
    }
    c.basis = LocalityBasis::HealthyHostsWeight;
    expect_equal(counted, row_of(w, own, c));
  });
}

TEST_F(RandomWorlds, TheOrderOfZonesPermutesTheAnswer) {
  for_each_world([&] {
    const auto w = world();
    const ZoneAwareConfig c = config();
    const std::size_t own = up_to(w.size() - 1);
    std::vector<std::size_t> order(w.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<ZoneAwarePlace> shuffled;
    for (const std::size_t i : order) shuffled.push_back(w[i]);
    const auto moved =
        static_cast<std::size_t>(std::find(order.begin(), order.end(), own) - order.begin());
    const Row straight = row_of(w, own, c);
    Row back = row_of(shuffled, moved, c);
    std::vector<double> shares(w.size());
    for (std::size_t i = 0; i < order.size(); ++i) shares[order[i]] = back.shares[i];
    back.shares = shares;
    expect_equal(straight, back);
  });
}

TEST_F(RandomWorlds, AllZonesTogetherLoadEachZoneByItsShare) {
  for_each_world([&] {
    std::vector<ZoneAwarePlace> w(2 + up_to(3));
    double clients = 0;
    double hosts = 0;
    for (ZoneAwarePlace& p : w) {
      p.originating_total = p.originating_healthy = 1 + up_to(20);
      p.upstream_total = p.upstream_healthy = 1 + up_to(20);
      clients += static_cast<double>(p.originating_healthy);
      hosts += static_cast<double>(p.upstream_healthy);
    }
    std::vector<double> arrived(w.size());
    for (std::size_t from = 0; from < w.size(); ++from) {
      const Row row = row_of(w, from, {.min_cluster_size = 0});
      for (std::size_t to = 0; to < w.size(); ++to) {
        arrived[to] += row.shares[to] * static_cast<double>(w[from].originating_healthy) / clients;
      }
    }
    for (std::size_t to = 0; to < w.size(); ++to) {
      EXPECT_NEAR(arrived[to], static_cast<double>(w[to].upstream_healthy) / hosts, 1e-3);
    }
  });
}

TEST_F(RandomWorlds, RoutingStatesKeepTheirPromises) {
  for_each_world([&] {
    std::string from;
    std::string to;
    for (char name = 'A'; name < 'F'; ++name) {
      if (up_to(3) > 0) from += std::string(1, name) + std::to_string(up_to(5)) + "+1u ";
      if (up_to(3) > 0) to += std::string(1, name) + std::to_string(up_to(9)) + "+1u ";
    }
    const test::Hosts originating(from, 'A');
    const test::Hosts upstream(to, 'A');
    const ZoneRouting r = regenerate(originating.set(), upstream.set(), {.min_cluster_size = 1});
    SCOPED_TRACE(from + "to " + to);
    EXPECT_TRUE(std::is_sorted(r.cumulative.begin(), r.cumulative.end()));
    EXPECT_TRUE(r.state != ZoneState::Direct || upstream.set().has_local);
    if (r.state != ZoneState::Residual) return;
    EXPECT_LT(r.local_share, kWhole);
    if (!upstream.set().has_local) return;
    const ZonePercentage own = r.percentages.front();
    EXPECT_TRUE(own.upstream == 0 || own.upstream < own.originating);
  });
}

}  // namespace
}  // namespace proxima::policy
