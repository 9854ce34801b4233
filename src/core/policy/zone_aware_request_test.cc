// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_aware_request.h"

#include <gtest/gtest.h>

#include <string>

#include "support/zones.h"

namespace proxima::policy {
namespace {

using test::Hosts;

// A balancer with everything it borrows. Priorities are separated by '|'.
class BalancerWorld {
 public:
  BalancerWorld(const char* originating, std::string upstream, const ZoneAwareConfig& config)
      : config_(config), originating_(originating, 'A') {
    std::vector<PriorityHosts> priorities;
    upstream += '|';
    for (std::size_t bar; (bar = upstream.find('|')) != std::string::npos;) {
      hosts_.emplace_back(upstream.substr(0, bar), 'A');
      upstream.erase(0, bar + 1);
    }
    for (const Hosts& hosts : hosts_) {
      sets_.push_back(hosts.set());
      priorities.push_back({hosts.set().flat, config.overprovisioning_factor});
    }
    loads_ = priority_loads(priorities, truncated_percent(config.panic_threshold_percent));
    originating_set_ = originating_.set();
    routing_ = regenerate(originating_set_, sets_[0], config_);
  }
  ZoneAwareBalancer balancer() const {
    return {.upstream = sets_,
            .loads = loads_,
            .originating = &originating_set_,
            .routing = &routing_,
            .config = &config_};
  }

 private:
  ZoneAwareConfig config_;
  Hosts originating_;
  std::vector<Hosts> hosts_;
  std::vector<HostSet> sets_;
  HostSet originating_set_;
  PriorityLoads loads_;
  ZoneRouting routing_;
};

// "healthy 0", "all 1", "healthy 0 bucket 2", "nothing".
std::string written(const std::optional<HostList>& list) {
  if (!list) return "nothing";
  constexpr const char* kViews[] = {"healthy", "degraded", "all"};
  std::string text = kViews[static_cast<std::size_t>(list->view)];
  text += " " + std::to_string(list->priority);
  return list->bucket ? text + " bucket " + std::to_string(*list->bucket) : text;
}

std::string counted(const ZoneCounters& counters) {
  std::string text;
  for (std::size_t i = 0; i < kZoneCounters; ++i) {
    const auto counter = static_cast<ZoneCounter>(i);
    if (counters[counter] > 0) text += (text.empty() ? "" : " ") + std::string(to_text(counter));
  }
  return text;
}

TEST(ZoneAwareRequest, TakesItsStepsInOrder) {
  const ZoneAwareConfig kOn{.min_cluster_size = 1};
  const ZoneAwareConfig kHalf{.routing_enabled_percent = 50, .min_cluster_size = 1};
  const ZoneAwareConfig kOff{.routing_enabled_percent = 0, .min_cluster_size = 1};
  const ZoneAwareConfig kFail{.min_cluster_size = 1, .fail_traffic_on_panic = true};
  const ZoneAwareConfig kNoPanic{.min_cluster_size = 1, .panic_threshold_percent = 0};
  const ZoneAwareConfig kForce{.min_cluster_size = 1, .force_local_zone_min_size = 0};
  const struct {
    const char* name;
    const char* originating;
    const char* upstream;
    const ZoneAwareConfig& config;
    RequestDraws draws;
    const char* list;
    std::size_t draws_used;
    const char* counters;
  } cases[] = {
      // clang-format off
      {"stays at home", "A1 B1", "A3 B3", kOn, {}, "healthy 0 bucket 0", 1, "lb_zone_routing_all_directly"},
      {"is sampled to stay", "A1 B1", "A1 B3", kOn, {{0, 4999, 0}}, "healthy 0 bucket 0", 2, "lb_zone_routing_sampled"},
      {"leaves", "A1 B1", "A1 B3", kOn, {{0, 5000, 0}}, "healthy 0 bucket 1", 3, "lb_zone_routing_cross_zone"},
      {"passes the gate at a low draw", "A1 B1", "A3 B3", kHalf, {{}, 149}, "healthy 0 bucket 0", 1, "lb_zone_routing_all_directly"},
      {"is stopped by the gate at a high one", "A1 B1", "A3 B3", kHalf, {{}, 150}, "healthy 0", 1, ""},
      {"never passes a closed gate", "A1 B1", "A3 B3", kOff, {}, "healthy 0", 1, ""},
      {"always passes an open gate", "A1 B1", "A3 B3", kOn, {{}, 99}, "healthy 0 bucket 0", 1, "lb_zone_routing_all_directly"},
      {"ignores zones in state none", "A1", "A3 B3", kOn, {}, "healthy 0", 1, ""},
      {"uses sick hosts in upstream panic", "A1 B1", "A1+5u B1+5u", kOn, {}, "all 0", 1, "lb_healthy_panic"},
      {"or fails there", "A1 B1", "A1+5u B1+5u", kFail, {}, "nothing", 1, "lb_healthy_panic"},
      {"forgets zones in originating panic", "A1 B1+9u", "A3 B3", kOn, {}, "healthy 0", 1, "lb_local_cluster_not_ok"},
      {"or fails there, too", "A1 B1+9u", "A3 B3", kFail, {}, "nothing", 1, "lb_local_cluster_not_ok"},
      {"meets the gate before originating panic", "A1 B1+9u", "A3 B3", kOff, {}, "healthy 0", 1, ""},
      {"knows no originating panic at threshold 0", "A0+1u B0+1u", "A3 B3", kNoPanic, {}, "healthy 0 bucket 0", 1, "lb_zone_routing_all_directly"},
      {"finds nothing when all is sick at threshold 0", "A1 B1", "A0+1u B0+1u", kNoPanic, {}, "nothing", 1, ""},
      {"finds nothing in an empty forced zone", "A1 B1", "A0+1u B3", kForce, {}, "nothing", 1, "lb_zone_routing_all_directly"},
      {"looks for degraded hosts in the zone of healthy ones", "A1 B1", "A3 B0+3d+3u", kOn, {{60, 0, 0}}, "nothing", 1, "lb_zone_routing_all_directly"},
      {"uses degraded hosts of that zone", "A1 B1", "A3+3d B0+3u", kOn, {{99, 0, 0}}, "degraded 0 bucket 0", 1, "lb_zone_routing_all_directly"},
      {"ignores zones below the first priority", "A1 B1", "A0+1u B0+1u|A1 B1", kOn, {}, "healthy 1", 1, ""},
      {"may panic in one priority alone", "A1 B1", "A1+9u B0+10u|A13+7u", kOn, {}, "all 0", 1, "lb_healthy_panic"},
      {"and not in the other", "A1 B1", "A1+9u B0+10u|A13+7u", kOn, {{99, 0, 0}}, "healthy 1", 1, ""},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const BalancerWorld world(c.originating, c.upstream, c.config);
    const RequestPick got = pick_hosts(world.balancer(), c.draws);
    EXPECT_EQ(written(got.list), c.list);
    EXPECT_EQ(got.draws_used, c.draws_used);
    EXPECT_EQ(counted(got.counters), c.counters);
  }
}

TEST(ZoneAwareRequest, LocalityWeightingComesBeforeZonesAndAfterPanic) {
  const BalancerWorld well("A1 B1", "A3 B3", {});
  EXPECT_EQ(written(pick_hosts(well.balancer(), {}, 1).list), "healthy 0 bucket 1");
  EXPECT_EQ(written(pick_hosts(well.balancer(), {}, std::nullopt).list), "healthy 0 bucket 0");
  const BalancerWorld sick("A1 B1", "A1+5u B1+5u", {});
  EXPECT_EQ(written(pick_hosts(sick.balancer(), {}, 1).list), "all 0");
}

TEST(ZoneAwareRequest, WaysSumToAllRequests) {
  const ZoneAwareConfig config{.routing_enabled_percent = 29, .min_cluster_size = 1};
  const char* upstreams[] = {"A1 B3", "A1+5u B1+5u", "A3+3d B0+3d+3u", "A1+9u B0+10u|A13+7u"};
  for (const char* upstream : upstreams) {
    SCOPED_TRACE(upstream);
    const BalancerWorld world("A1 B1", upstream, config);
    double sum = 0;
    visit_ways(world.balancer(),
               [&](const std::optional<HostList>&, Ratio share) { sum += share.value(); });
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(ZoneAwareRequest, TheGateOf29PercentLetsOnly28Through) {
  const BalancerWorld world("A1 B1", "A3 B3", {.routing_enabled_percent = 29});
  double zoned = 0;
  visit_ways(world.balancer(), [&](const std::optional<HostList>& list, Ratio share) {
    if (list && list->bucket) zoned += share.value();
  });
  EXPECT_DOUBLE_EQ(zoned, 0.28);
  EXPECT_TRUE(pick_hosts(world.balancer(), {{}, 27}).list->bucket.has_value());
  EXPECT_FALSE(pick_hosts(world.balancer(), {{}, 28}).list->bucket.has_value());
}

}  // namespace
}  // namespace proxima::policy
