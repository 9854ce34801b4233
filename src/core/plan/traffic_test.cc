// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::PolicyKind;

Traffic predict(const std::string& cluster, RouteSource source = RouteSource::Plan) {
  const ClusterPlan plan = plan_cluster(test::cluster(cluster), {});
  return predict_traffic(plan, plan.services.front(), source);
}

constexpr const char* kEqualZones = "node n1 a 4; node n2 b 4; node n3 c 4;";

std::string endpoints(int a, int b, int c) {
  std::string out;
  const auto add = [&](int count, const char* node) {
    if (count > 0) out += "endpoint " + std::string(node) + " x" + std::to_string(count) + ";";
  };
  add(a, "n1");
  add(b, "n2");
  add(c, "n3");
  return out;
}

TEST(Traffic, OfEachPolicyForOneService) {
  const struct {
    const char* name;
    const char* service;
    int a, b, c;
    double local;
    double worst_overload;
  } rows[] = {
      // name                                     service                     a  b  c  local
      // overload
      {"cluster-wide keeps what chance keeps", "service s/web", 2, 1, 1, 1.0 / 3, 0},
      {"auto refuses four in three zones", "service s/web Auto", 2, 1, 1, 1.0 / 3, 0},
      {"prefer-same-zone overloads the small", "service s/web PreferClose", 2, 1, 1, 1, 1.0 / 3},
      {"balanced keeps what the bound allows", "service s/web balanced", 2, 1, 1, 0.93333, 0.2},
      {"balanced, 2/2/1", "service s/web balanced", 2, 2, 1, 0.90667, 0.2},
      {"balanced, 3/3/2", "service s/web balanced", 3, 3, 2, 0.96667, 0.2},
      {"balanced, 4/4/3", "service s/web balanced", 4, 4, 3, 0.99394, 0.2},
      {"balanced, 5/3/1", "service s/web balanced", 5, 3, 1, 0.8, 0.2},
      {"auto, 5/3/1, lends two of a to c", "service s/web Auto", 5, 3, 1, 7.0 / 9, 0},
      {"balanced without a bound is same-zone", "service s/web balanced overload=inf", 5, 3, 1, 1,
       2},
      {"balanced at zero is even", "service s/web balanced overload=0", 5, 3, 1, 7.0 / 9, 0},
      {"one endpoint serves everyone", "service s/web balanced", 1, 0, 0, 1.0 / 3, 0},
      {"zone-aware below its minimum size", "service s/web zone-aware", 2, 1, 1, 1.0 / 3, 0},
      {"zone-aware, 4/4/3", "service s/web zone-aware", 4, 4, 3, 0.9394, 0},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const Traffic got =
        predict(kEqualZones + std::string(row.service) + ";" + endpoints(row.a, row.b, row.c));
    EXPECT_NEAR(got.local, row.local, 5e-5);
    EXPECT_NEAR(got.worst_overload, row.worst_overload, 2e-3);
    EXPECT_NEAR(got.cross, 1 - row.local, 5e-5);
    EXPECT_EQ(got.rejected, 0);
  }
}

TEST(Traffic, OfProxiesThatKnowHintsOnlyFollowsTheNearestWholeAllotment) {
  const auto hints_only = [](int a, int b, int c) {
    return predict(kEqualZones + std::string("service s/web balanced;") + endpoints(a, b, c),
                   RouteSource::HintsOfPlan);
  };
  // Three endpoints a zone are within the bound; a lends two of its five to c.
  EXPECT_NEAR(hints_only(5, 3, 1).local, 7.0 / 9, 1e-9);
  EXPECT_NEAR(hints_only(5, 3, 1).worst_overload, 0, 1e-9);
  // Four endpoints in three zones cannot: no hints, so all zones are used.
  EXPECT_NEAR(hints_only(2, 1, 1).local, 1.0 / 3, 1e-9);
}

TEST(Traffic, StaysOnItsNodeAsFarAsTheBoundAllows) {
  // n1 starts half of the traffic and carries one endpoint of four: it keeps 1.2 fair shares.
  const Traffic got = predict(
      "node n1 a 4; node n2 a 2; node n3 b 2; service s/web balanced node-first=true;"
      "endpoint n1; endpoint n2; endpoint n3 x2");
  EXPECT_NEAR(got.endpoint_load[0], 0.3, 1e-9);
  EXPECT_NEAR(got.worst_overload, 0.2, 1e-9);
}

TEST(Traffic, RejectsWhereTopologyKeysEndStrictly) {
  const Traffic got =
      predict(kEqualZones + std::string("service s/web keys=topology.kubernetes.io/zone;") +
              endpoints(1, 1, 0));
  EXPECT_NEAR(got.rejected, 1.0 / 3, 1e-12);
  EXPECT_NEAR(got.local, 2.0 / 3, 1e-12);
}

TEST(Traffic, StaysOnTheNodeFirstUnderPreferSameNode) {
  const Traffic got = predict(
      "node n1 a 4; node n2 a 4; node n3 b 8; service s/web PreferSameNode;"
      "endpoint n1; endpoint n2; endpoint n2; endpoint n3");
  EXPECT_NEAR(got.endpoint_load[0], 0.25, 1e-12);
  EXPECT_NEAR(got.endpoint_load[1], 0.125, 1e-12);
  EXPECT_NEAR(got.endpoint_load[3], 0.5, 1e-12);
  EXPECT_EQ(got.cross, 0);
}

TEST(Traffic, UnplacedNodesHurtNobody) {
  const Traffic got = predict(
      "node n1 a 4; node n2 b 4; node n3 - 1; service s/web balanced;"
      "endpoint n1 x2; endpoint n2 x2");
  // The two zones keep everything; the ninth that starts nowhere is spread.
  EXPECT_NEAR(got.local, 8.0 / 9, 1e-12);
  EXPECT_NEAR(got.cross, 1.0 / 9, 1e-12);
}

TEST(Traffic, PrefersRegionsWhenItMustLeave) {
  const Traffic got = predict(
      "node n1 a 6 region=r1; node n2 b 3 region=r1; node n3 c 3 region=r2;"
      "service s/web balanced overload=50%; endpoint n1; endpoint n2 x2; endpoint n3 x2");
  // a starts half and may take 0.3: the rest goes to b, which is in its region, and not to c.
  EXPECT_NEAR(got.place_to_place[0 * 4 + 0], 0.3, 1e-9);
  EXPECT_NEAR(got.place_to_place[0 * 4 + 1], 0.2, 1e-9);
  EXPECT_NEAR(got.place_to_place[0 * 4 + 2], 0, 1e-9);
}

TEST(Traffic, FollowsMinimumLocalEndpoints) {
  const std::string nodes = "node n1 a 4; node n2 b 4;";
  const Traffic eager =
      predict(nodes + "service s/web balanced overload=inf; endpoint n1; endpoint n2 x9");
  EXPECT_NEAR(eager.endpoint_load[0], 0.5, 1e-12) << "the first Pod of a zone gets all of it";
  const Traffic patient = predict(
      nodes + "service s/web balanced overload=inf min-local=3; endpoint n1; endpoint n2 x9");
  EXPECT_LT(patient.endpoint_load[0], 0.11);
}

TEST(Traffic, FallsBackToEndpointsThatShutDown) {
  const Traffic got = predict(kEqualZones + std::string("service s/web balanced;"
                                                        "endpoint n1 terminating"));
  EXPECT_EQ(got.rejected, 0);
  EXPECT_NEAR(got.endpoint_load[0], 1, 1e-12);
}

TEST(Traffic, IsRejectedWhenNothingServes) {
  const Traffic got =
      predict(kEqualZones + std::string("service s/web balanced; endpoint n1 !ready !serving"));
  EXPECT_EQ(got.rejected, 1);
}

// The prediction by place must be what the nodes, one by one, would do.
TEST(Traffic, IsTheSumOfWhatEveryNodeDoes) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t n) { return static_cast<unsigned>(random() % n); };
  const char* services[] = {"service s/web",
                            "service s/web Auto",
                            "service s/web PreferSameNode",
                            "service s/web PreferClose",
                            "service s/web balanced",
                            "service s/web zone-aware",
                            "service s/web internal=Local",
                            "service s/web keys=kubernetes.io/hostname,topology.kubernetes.io/zone",
                            "service s/web keys=rack,topology.kubernetes.io/region,*",
                            "service s/web balanced node-first=true"};
  for (int round = 0; round < 400; ++round) {
    std::string text;
    const unsigned nodes = 2 + pick(6);
    for (unsigned n = 0; n < nodes; ++n) {
      text += "node n" + std::to_string(n) + " " +
              (pick(8) == 0 ? "-" : std::string(1, static_cast<char>('a' + pick(3)))) + " " +
              std::to_string(1 + pick(8)) + " region=r" + std::to_string(pick(2)) + " rack=k" +
              std::to_string(pick(3)) + ";";
    }
    text += std::string(services[pick(std::size(services))]) + ";";
    for (unsigned e = 1 + pick(9); e > 0; --e) {
      text += "endpoint n" + std::to_string(pick(nodes)) + (pick(6) == 0 ? " !ready" : "") +
              (pick(8) == 0 ? " weight=3" : "") + ";";
    }
    SCOPED_TRACE(text);
    const ClusterPlan plan = plan_cluster(test::cluster(text), {});
    const ServicePlan& service = plan.services.front();
    const Traffic predicted = predict_traffic(plan, service);
    std::vector<double> load(predicted.endpoint_load.size(), 0);
    for (std::size_t n = 0; n < plan.snapshot->nodes.size(); ++n) {
      const auto shares = shares_from_node(plan, service, model::NodeIndex(n));
      const double demand = plan.demands[service.demand].by_node[n];
      for (std::size_t e = 0; e < load.size(); ++e) load[e] += demand * shares.share[e];
    }
    for (std::size_t e = 0; e < load.size(); ++e) {
      ASSERT_NEAR(load[e], predicted.endpoint_load[e], 1e-9);
    }
  }
}

}  // namespace
}  // namespace proxima::plan
