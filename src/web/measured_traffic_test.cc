// SPDX-License-Identifier: Apache-2.0
#include "web/measured_traffic.h"

#include <gtest/gtest.h>

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

MeasuredPicture measured(const std::vector<Endpoint>& endpoints) {
  LiveState state;
  ServicePicture service{.ns = "shop", .name = "web"};
  MeasuredWindows windows;
  for (const Endpoint& endpoint : endpoints) {
    service.plan.endpoints.push_back({.pod = std::string("shop/") + endpoint.pod,
                                      .zone = "a",
                                      .fair_share = endpoint.fair_share});
    windows.flows.push_back(answered(endpoint));
    windows.loads.push_back(answered(endpoint));
  }
  state.services.push_back(std::move(service));
  add_measured(windows, plan::ClusterPlan{}, {.per_unit = 0.02}, state);
  return *state.services.front().measured;
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
      {"what one that is not ready got before is nobody's load", {{"1", 0.5, 60}, {"2", 0.5, 40}, {"3", 0, 100}}, {1.2, 0.8, 0}, 0.2},
      {"nobody was asked", {{"1", 0.5, 0}, {"2", 0.5, 0}}, {0, 0}, 0},
      // clang-format on
  };
  for (const auto& c : cases) {
    const MeasuredPicture picture = measured(c.endpoints);
    ASSERT_EQ(picture.endpoints.size(), c.loads.size()) << c.name;
    for (std::size_t i = 0; i < c.loads.size(); ++i)
      EXPECT_NEAR(picture.endpoints[i].load, c.loads[i], 1e-9) << c.name << ", endpoint " << i;
    EXPECT_NEAR(picture.worst_overload, c.worst_overload, 1e-9) << c.name;
  }
}

}  // namespace
}  // namespace proxima::web
