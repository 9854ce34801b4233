// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/plan/decisions.h"
#include "core/plan/traffic.h"
#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::Reason;

constexpr const char* kFourZones =
    "node n1 a 4 region=r1; node n2 b 4 region=r1; node n3 c 4 region=r2; node n4 d 4;"
    "service s/web PreferClose ";

// "a:500 c:500": where the traffic of a zone goes, in thousandths, by zone of the endpoints.
std::string from_zone(const ClusterPlan& plan, std::string_view zone, RouteSource source) {
  const ServicePlan& service = plan.services.front();
  const auto shares = shares_from_zone(plan, service, plan.snapshot->find_zone(zone), source).share;
  std::map<std::string, double> by_zone;
  for (std::size_t e = 0; e < shares.size(); ++e) {
    const auto& endpoint = plan.snapshot->endpoints[service.endpoints.begin + e];
    if (shares[e] > 0) by_zone[std::string(plan.snapshot->zone_name(endpoint.zone))] += shares[e];
  }
  std::string out;
  for (const auto& [name, share] : by_zone)
    out += (out.empty() ? "" : " ") + name + ":" + std::to_string(std::lround(share * 1000));
  return out;
}

TEST(RegionHints, SendAZoneWithoutEndpointsToItsRegionFirst) {
  const struct {
    const char* name;
    const char* service;
    const char* zone;
    const char* goes;
  } rows[] = {
      {"to everyone unless asked", "; endpoint n1; endpoint n3; endpoint n4", "b",
       "a:333 c:333 d:333"},
      {"to its region", "fallback=region; endpoint n1; endpoint n3; endpoint n4", "b", "a:1000"},
      {"to its own zone before", "fallback=region; endpoint n1; endpoint n2", "b", "b:1000"},
      {"to everyone where the region has none", "fallback=region; endpoint n3; endpoint n4", "a",
       "c:500 d:500"},
      {"to everyone where the region is unknown", "fallback=region; endpoint n1; endpoint n3", "d",
       "a:500 c:500"},
      {"only ready ones count", "fallback=region; endpoint n1; endpoint n2 !ready; endpoint n3",
       "b", "a:1000"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const ClusterPlan plan = plan_cluster(test::cluster(std::string(kFourZones) + row.service), {});
    EXPECT_EQ(from_zone(plan, row.zone, RouteSource::Plan), row.goes);
    EXPECT_EQ(from_zone(plan, row.zone, RouteSource::HintsOfPlan), row.goes);
  }
}

TEST(RegionHints, AreWhatWasAskedFor) {
  const ClusterPlan plan =
      plan_cluster(test::cluster(std::string(kFourZones) +
                                 "fallback=region; endpoint n1 x2; endpoint n3; endpoint n4"),
                   {});
  const ServicePlan& service = plan.services.front();
  EXPECT_EQ(service.why.reason, Reason::SameZone);
  const auto told = decisions_of(plan, service);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(
      policy::sentence(told[1]),
      "zone b has no ready endpoint, so its traffic uses the 2 ready endpoints of its region");
}

TEST(RegionHints, NameNoMoreZonesThanAnEndpointMayHave) {
  std::string cluster = "node n0 z0 4 region=r1;";
  for (int i = 1; i < 10; ++i)
    cluster += "node n" + std::to_string(i) + " z" + std::to_string(i) + " 4 region=r1;";
  const ClusterPlan plan =
      plan_cluster(test::cluster(cluster + "node n10 y 4; service s/web PreferClose "
                                           "fallback=region; endpoint n0; endpoint n10"),
                   {});
  EXPECT_EQ(plan.hints[0].shared.size, 8U);
  EXPECT_EQ(from_zone(plan, "z7", RouteSource::HintsOfPlan), "z0:1000");
  EXPECT_EQ(from_zone(plan, "z8", RouteSource::HintsOfPlan), "y:500 z0:500");
  EXPECT_EQ(plan.services.front().why.reason, Reason::SameZoneNotEverywhere);
  EXPECT_EQ(plan.services.front().why.count, 2);
}

}  // namespace
}  // namespace proxima::plan
