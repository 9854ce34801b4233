// SPDX-License-Identifier: Apache-2.0
#include "core/policy/feature_gates.h"

#include <gtest/gtest.h>

namespace proxima::policy {
namespace {

TEST(FeatureGates, AreReadAsKubernetesReadsThem) {
  const struct {
    const char* name;
    const char* text;
    FeatureGates gates;
  } rows[] = {
      {"everything is on", "", {}},
      {"one off", "TopologyAwareHints=false", {.topology_aware_hints = false}},
      {"several",
       "ServiceTopology=false,PreferSameTrafficDistribution=False",
       {.prefer_same_traffic_distribution = false, .service_topology = false}},
      {"what depends on one that is off",
       "ServiceTrafficDistribution=false",
       {.service_traffic_distribution = false, .prefer_same_traffic_distribution = false}},
      {"hints, which depend on the field they were made for",
       "ServiceTrafficPolicy=false",
       {.topology_aware_hints = false, .service_traffic_policy = false}},
      {"blanks and an empty place",
       " PreferSameTrafficDistribution = 0 , ,",
       {.prefer_same_traffic_distribution = false}},
      {"the last one counts", "ServiceTopology=false,ServiceTopology=true", {}},
  };
  for (const auto& row : rows) {
    const auto gates = parse_feature_gates(row.text);
    ASSERT_TRUE(gates.has_value()) << row.name;
    EXPECT_EQ(*gates, row.gates) << row.name;
  }
}

TEST(FeatureGates, MistakesAreNamed) {
  const struct {
    const char* text;
    const char* message;
  } rows[] = {
      {"ServiceTopology",
       "\"ServiceTopology\" has no value: write ServiceTopology=true or "
       "ServiceTopology=false"},
      {"ServiceTopology=on", "feature gate ServiceTopology: \"on\" is neither true nor false"},
      {"TopologyAwareHints=true,Moon=true",
       "\"Moon\" is not a known feature gate; there are: PreferSameTrafficDistribution, "
       "ServiceTopology, ServiceTrafficDistribution, ServiceTrafficPolicy, TopologyAwareHints"},
      {"TopologyAwareHints=true,ServiceTrafficPolicy=false",
       "feature gate TopologyAwareHints depends on ServiceTrafficPolicy, which is off"},
  };
  for (const auto& row : rows) {
    const auto gates = parse_feature_gates(row.text);
    ASSERT_FALSE(gates.has_value()) << row.text;
    EXPECT_EQ(gates.error().message, row.message);
  }
}

}  // namespace
}  // namespace proxima::policy
