// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_routing.h"

#include <gtest/gtest.h>

#include <string>

#include "core/policy/zone_routing_2021.h"
#include "support/zones.h"

namespace proxima::policy {
namespace {

using test::Hosts;
constexpr auto kNone = ZoneState::None;
constexpr auto kDirect = ZoneState::Direct;
constexpr auto kResidual = ZoneState::Residual;

std::string joined(const std::pmr::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) {
    text += (text.empty() ? "" : " ") + std::to_string(number);
  }
  return text;
}

std::string pairs(const ZoneRouting& routing) {
  std::string text;
  for (const ZonePercentage& p : routing.percentages) {
    text += (text.empty() ? "" : " ") + std::to_string(p.originating) + ":" +
            std::to_string(p.upstream);
  }
  return text;
}

ZoneRouting routed(const char* originating, const char* upstream, char own,
                   const ZoneAwareConfig& config) {
  const Hosts from(originating, own);
  const Hosts to(upstream, own);
  return regenerate(from.set(), to.set(), config);
}

const ZoneAwareConfig kSmall{.min_cluster_size = 1};
const ZoneAwareConfig kByWeight{.min_cluster_size = 1, .basis = LocalityBasis::HealthyHostsWeight};
const ZoneAwareConfig kForce0{.min_cluster_size = 1, .force_local_zone_min_size = 0};
const ZoneAwareConfig kForce1{.min_cluster_size = 1, .force_local_zone_min_size = 1};
const ZoneAwareConfig kForce5{.min_cluster_size = 1, .force_local_zone_min_size = 5};
const ZoneAwareConfig kSixHosts{};
const ZoneAwareConfig kZero{.min_cluster_size = 0};
const ZoneAwareConfig kEqualZones{.min_cluster_size = 1, .require_equal_zone_number = true};

TEST(ZoneRouting, RegeneratesAsEnvoyDoes) {
  using R = Reason;
  const struct {
    const char* name;
    char own;
    const char* originating;
    const char* upstream;
    const ZoneAwareConfig& config;
    ZoneState state;
    std::uint64_t local_share;
    const char* cumulative;
    Reason reason;
  } cases[] = {
      // clang-format off
      // Worked examples.
      {"keeps what its small zone can take", 'A', "A1 B1 C1", "A1 B2 C2", kSmall, kResidual, 6000, "0 667 1334", R::ZoneAwareResidual},
      {"sends the rest to a zone without clients", 'B', "A1 B1", "A1 B1 C1", kSmall, kResidual, 6666, "0 0 3333", R::ZoneAwareResidual},
      {"matches zones by name, not by position", 'A', "A2 B2 C1 D1", "A1 C3 D3 E1", kSmall, kResidual, 3750, "0 2084 4168 5418", R::ZoneAwareResidual},
      {"leaves entirely when home has no host", 'B', "A1 B1", "A1 C1", kSmall, kResidual, 0, "0 5000", R::ZoneAwareResidual},
      {"treats bucket 0 as any other when it is not home", 'A', "A1 B1 C1", "D1 E1 F1", kSmall, kResidual, 0, "3333 6666 9999", R::ZoneAwareResidual},
      {"loses the last capacity to truncation", 'A', "A45000 B55000", "A44999 B55001", kSmall, kResidual, 9997, "0 0", R::ZoneAwareNoCapacityLeft},
      {"is direct by weight", 'A', "A2x100 B1x200", "A1x100 B1x100", kByWeight, kDirect, 0, "", R::ZoneAwareDirect},
      {"is residual by number for the same hosts", 'A', "A2x100 B1x200", "A1x100 B1x100", kSmall, kResidual, 7500, "0 1667", R::ZoneAwareResidual},
      // Preconditions, in order.
      {"needs two upstream zones", 'A', "A1 B1", "A9", kSmall, kNone, 0, "", R::ZoneAwareUpstreamSingleZone},
      {"looks at the upstream before the originating side", 'A', "A1", "A9", kSmall, kNone, 0, "", R::ZoneAwareUpstreamSingleZone},
      {"needs two originating zones", 'A', "A1", "A9 B9", kSmall, kNone, 0, "", R::ZoneAwareOriginatingSingleZone},
      {"does not need them when forced", 'A', "A1", "A3 B3", kForce1, kDirect, 0, "", R::ZoneAwareForcedLocal},
      {"needs a peer at home", 'C', "A1 B1", "A3 B3 C3", kSmall, kNone, 0, "", R::ZoneAwareOwnZoneUnknown},
      {"needs to know where home is", '-', "A1 B1", "A3 B3", kSmall, kNone, 0, "", R::ZoneAwareOwnZoneUnknown},
      {"looks for home before the size", '-', "A1 B1", "A1 B1", kSixHosts, kNone, 0, "", R::ZoneAwareOwnZoneUnknown},
      {"needs six healthy hosts by default", 'A', "A1 B1", "A3 B2+9u", kSixHosts, kNone, 0, "", R::ZoneAwareClusterTooSmall},
      {"does not count degraded hosts", 'A', "A1 B1", "A3 B2+9d", kSixHosts, kNone, 0, "", R::ZoneAwareClusterTooSmall},
      {"is content with six", 'A', "A1 B1", "A3 B3", kSixHosts, kDirect, 0, "", R::ZoneAwareDirect},
      {"has no minimum when it is 0", 'A', "A1 B1", "A0+1u B0+1u", kZero, kResidual, 0, "0 0", R::ZoneAwareNoCapacityLeft},
      {"does not bypass the size when forced", 'A', "A1 B1", "A1 B1", ZoneAwareConfig{.force_local_zone_min_size = 1}, kNone, 0, "", R::ZoneAwareClusterTooSmall},
      {"refuses unequal numbers of zones when asked to", 'A', "A1 B1", "A2 B2 C2", kEqualZones, kNone, 0, "", R::ZoneAwareZoneNumberDiffers},
      {"takes equal numbers, of other zones too", 'A', "A1 B1", "A2 C2", kEqualZones, kDirect, 0, "", R::ZoneAwareDirect},
      {"counts a sick zone as a zone", 'A', "A1 B1", "A3 B0+1u", kSmall, kDirect, 0, "", R::ZoneAwareDirect},
      {"counts sick peers as peers", 'A', "A0+2u B4", "A3 B3", kSmall, kDirect, 0, "", R::ZoneAwareDirect},
      // Corner cases.
      {"keeps a zone with clients only in the total", 'A', "A1 B2 C3", "A1 B5", kSmall, kDirect, 0, "", R::ZoneAwareDirect},
      {"leaves when the hosts at home are sick", 'A', "A1 B1", "A0+3u B3 C3", kSmall, kResidual, 0, "0 0 5000", R::ZoneAwareResidual},
      {"stays when all peers are sick", 'A', "A0+1u B0+1u", "A3 B3", kSmall, kDirect, 0, "", R::ZoneAwareDirect},
      {"goes anywhere when all peers and home are sick", 'A', "A0+1u B0+1u", "A0+1u B3 C1", kSmall, kResidual, 0, "0 7500 10000", R::ZoneAwareResidual},
      {"is not forced below the minimum", 'A', "A1", "A3 B3", kForce5, kResidual, 5000, "0 5000", R::ZoneAwareResidual},
      {"cannot be forced into a zone that is not there", 'B', "A1 B1", "A3 C3", kForce1, kResidual, 0, "0 5000", R::ZoneAwareResidual},
      {"can be forced into an empty zone", 'A', "A1 B1", "A0+1u B3 C3", kForce0, kDirect, 0, "", R::ZoneAwareForcedLocal},
      {"does not see a zone below a ten-thousandth", 'A', "A1 B1", "A1 B10000", kSmall, kResidual, 0, "0 4999", R::ZoneAwareResidual},
      {"sees a zone of exactly a ten-thousandth", 'A', "A1 B9999", "A1 B9999", kSmall, kDirect, 0, "", R::ZoneAwareDirect},
      {"truncates twice: 5831, not 5833", 'A', "A2 B2 C3", "A1 B2 C2 D1", kSmall, kResidual, 5831, "0 476 476 2142", R::ZoneAwareResidual},
      {"stays when shares are equal", 'A', "A1 B1", "A4 B4", kSmall, kDirect, 0, "", R::ZoneAwareDirect},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const ZoneRouting got = routed(c.originating, c.upstream, c.own, c.config);
    EXPECT_EQ(got.state, c.state);
    EXPECT_EQ(got.local_share, c.local_share);
    EXPECT_EQ(joined(got.cumulative), c.cumulative);
    EXPECT_EQ(got.reason, c.reason);
  }
}

TEST(ZoneRouting, SumsThatDoNotFitSaturate) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  EXPECT_EQ(percentage(kHalf, kLargestCount64, kHalf, kLargestCount64),
            (ZonePercentage{.originating = 5000, .upstream = 5000}));
  EXPECT_EQ(percentage(1, 0, 1, 0), (ZonePercentage{})) << "of nothing there is no share";
  // 64 hosts of 2^58 each wrapped to 0, and the share of a zone was a division by it.
  const ZoneRouting routing =
      routed("A1 B1", "A32x288230376151711744 B32x288230376151711744", 'A', kByWeight);
  EXPECT_EQ(routing.reason, Reason::ZoneAwareDirect);
  EXPECT_EQ(pairs(routing), "5000:5000 5000:5000");
}

TEST(ZoneRouting, PercentagesAreTruncatedOneByOne) {
  EXPECT_EQ(pairs(routed("A1 B1 C1", "A1 B2 C2", 'A', kSmall)), "3333:2000 3333:4000 3333:4000");
  EXPECT_EQ(pairs(routed("A2 B2 C1 D1", "A1 C3 D3 E1", 'A', kSmall)),
            "3333:1250 1666:3750 1666:3750 0:1250");
  EXPECT_EQ(pairs(routed("A1x1 B1x1", "A3x1 B3x5", 'A', kByWeight)), "5000:1666 5000:8333");
  // A bucket without a healthy host has no identity: clients of its zone are not laid on it.
  EXPECT_EQ(pairs(routed("A1 B1", "A0+3u B3", 'A', kSmall)), "0:0 5000:10000");
}

TEST(ZoneRouting, RegenerationsAreCountedByWhatStoppedThem) {
  const struct {
    const char* name;
    Reason reason;
    std::optional<ZoneCounter> counted;  // beside lb_recalculate_zone_structures
  } cases[] = {
      {"nothing stops it", Reason::ZoneAwareResidual, std::nullopt},
      {"one upstream zone is silent", Reason::ZoneAwareUpstreamSingleZone, std::nullopt},
      {"one originating zone is silent", Reason::ZoneAwareOriginatingSingleZone, std::nullopt},
      {"no peer at home", Reason::ZoneAwareOwnZoneUnknown, ZoneCounter::LocalClusterNotOk},
      {"too small", Reason::ZoneAwareClusterTooSmall, ZoneCounter::ZoneClusterTooSmall},
      {"unequal zones", Reason::ZoneAwareZoneNumberDiffers, ZoneCounter::ZoneNumberDiffers},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    ZoneCounters expected;
    expected.add(ZoneCounter::RecalculateZoneStructures);
    if (c.counted) expected.add(*c.counted);
    EXPECT_EQ(regeneration_counters(c.reason), expected);
  }
}

TEST(ZoneRouting, PicksAtTheBoundaries) {
  const ZoneRouting residual = routed("A2 B2 C1 D1", "A1 C3 D3 E1", 'A', kSmall);
  const ZoneRouting direct = routed("A1 B1", "A1 B1", 'A', kSmall);
  const ZoneRouting full = routed("A45000 B55000", "A44999 B55001", 'A', kSmall);
  const ZoneRouting foreign = routed("A1 B1 C1", "D1 E1 F1", 'A', kSmall);
  const struct {
    const char* name;
    const ZoneRouting& routing;
    std::uint64_t draws[2];
    std::size_t bucket;
    std::size_t draws_used;
  } cases[] = {
      {"direct draws nothing", direct, {7, 7}, 0, 0},
      {"stays just below the local share", residual, {3749, 0}, 0, 1},
      {"stays a whole turn later as well", residual, {13749, 0}, 0, 1},
      {"leaves at the local share", residual, {3750, 0}, 1, 2},
      {"is still in the first zone", residual, {9999, 2083}, 1, 2},
      {"is in the second zone", residual, {9999, 2084}, 2, 2},
      {"is at the end of the last zone", residual, {9999, 5417}, 3, 2},
      {"wraps past the last zone", residual, {9999, 5418}, 1, 2},
      {"may come home when nothing is left", full, {9997, 2}, 0, 2},
      {"may go away when nothing is left", full, {9998, 3}, 1, 2},
      {"uses bucket 0 when it is not home", foreign, {0, 3332}, 0, 2},
      {"and the next one at its end", foreign, {0, 3333}, 1, 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const ZonePick got = pick_zone(c.routing, c.draws);
    EXPECT_EQ(got.bucket, c.bucket);
    EXPECT_EQ(got.draws_used, c.draws_used);
  }
}

TEST(ZoneRouting, ComingHomeForLackOfCapacityStillCountsAsLeaving) {
  const ZoneRouting full = routed("A45000 B55000", "A44999 B55001", 'A', kSmall);
  const std::uint64_t draws[2] = {9999, 2};
  const ZonePick got = pick_zone(full, draws);
  EXPECT_EQ(got.bucket, 0u);
  EXPECT_EQ(got.counters[ZoneCounter::RoutingCrossZone], 1u);
  EXPECT_EQ(got.counters[ZoneCounter::NoCapacityLeft], 1u);
  EXPECT_EQ(got.counters[ZoneCounter::RoutingSampled], 0u);
}

// Shares and picks are two readings of one table: every draw that matters is tried.
TEST(ZoneRouting, SharesAreWhatPicksAddUpTo) {
  const ZoneRouting residual = routed("A2 B2 C1 D1", "A1 C3 D3 E1", 'A', kSmall);
  const auto pick = [&](std::uint64_t local, std::uint64_t cross) {
    const std::uint64_t draws[2] = {local, cross};
    return pick_zone(residual, draws);
  };
  std::uint64_t stay = 0;
  for (std::uint64_t local = 0; local < kWhole; ++local) stay += pick(local, 0).draws_used == 1;
  std::vector<std::uint64_t> leave(4);
  const std::uint64_t capacity = residual.capacity_left();
  for (std::uint64_t cross = 0; cross < capacity; ++cross) ++leave[pick(kWhole - 1, cross).bucket];
  for (std::size_t i = 0; i < leave.size(); ++i) {
    const Ratio share = zone_pick_share(residual, i);
    EXPECT_EQ(share.whole, kWhole * capacity);
    EXPECT_EQ(share.part, (i == 0 ? stay * capacity : 0) + (kWhole - stay) * leave[i]);
  }
}

TEST(ZoneRouting2021, FollowsTheOldRules) {
  using R = Reason;
  const struct {
    const char* name;
    char own;
    const char* originating;
    const char* upstream;
    ZoneState state;
    std::uint64_t local_share;
    const char* cumulative;
    Reason reason;
  } cases[] = {
      // clang-format off
      {"matches zones by position", 'A', "A2 B2 C1 D1", "A1 C3 D3 E1", kResidual, 3750, "0 417 2501 2501", R::ZoneAwareResidual},
      {"refuses unequal numbers of zones", 'B', "A1 B1", "A1 B1 C1", kNone, 0, "", R::ZoneAwareZoneNumberDiffers},
      {"needs home upstream", 'A', "A1 B1 C1", "D1 E1 F1", kNone, 0, "", R::ZoneAwareOwnZoneUnknown},
      {"needs a healthy host at home", 'A', "A1 B1", "A0+1u B3", kNone, 0, "", R::ZoneAwareOwnZoneUnknown},
      {"does not need a peer at home", 'A', "B1 C1", "A3 B3", kDirect, 0, "", R::ZoneAwareDirect},
      {"needs two upstream zones", 'A', "A1", "A3", kNone, 0, "", R::ZoneAwareUpstreamSingleZone},
      {"stays when shares are equal", 'A', "A1 B1", "A1 B1", kDirect, 0, "", R::ZoneAwareDirect},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Hosts from(c.originating, c.own);
    const Hosts to(c.upstream, c.own);
    const ZoneRouting got = regenerate_2021(from.set(), to.set(), kSmall);
    EXPECT_EQ(got.state, c.state);
    EXPECT_EQ(got.local_share, c.local_share);
    EXPECT_EQ(joined(got.cumulative), c.cumulative);
    EXPECT_EQ(got.reason, c.reason);
  }
  const Hosts small("A1 B1", 'A');
  EXPECT_EQ(regenerate_2021(small.set(), small.set(), kSixHosts).reason,
            R::ZoneAwareClusterTooSmall);
}

TEST(ZoneRouting2021, EveryBoundaryIsOneLower) {
  const Hosts from("A1 B1 C1", 'A');
  const Hosts to("A1 B2 C2", 'A');
  const ZoneRouting routing = regenerate_2021(from.set(), to.set(), kSmall);
  const auto bucket = [&](std::uint64_t local, std::uint64_t cross) {
    const std::uint64_t draws[2] = {local, cross};
    return pick_zone_2021(routing, draws).bucket;
  };
  EXPECT_EQ(bucket(5999, 0), 0u);
  EXPECT_EQ(bucket(6000, 0), 0u) << "the lowest draw came home although it was meant to leave";
  EXPECT_EQ(bucket(6000, 1), 1u);
  EXPECT_EQ(bucket(6000, 667), 1u);
  EXPECT_EQ(bucket(6000, 668), 2u);
}

}  // namespace
}  // namespace proxima::policy
