// SPDX-License-Identifier: Apache-2.0
#include "manifest/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "manifest/read_manifests.h"

namespace proxima::manifest {
namespace {

std::string generated(const GenerateOptions& options) {
  std::string text;
  const Status status = generate(options, [&](std::string_view piece) { text += piece; });
  EXPECT_TRUE(status);
  return text;
}

Loaded read_back(const GenerateOptions& options) {
  ReadOptions strict;
  strict.strict = true;
  auto loaded = read_manifest_text(generated(options), "generated", strict);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return *loaded;
}

std::vector<std::size_t> pods_by_zone(const model::Snapshot& snapshot) {
  std::vector<std::size_t> counts(snapshot.zones.size());
  for (const model::Pod& pod : snapshot.pods) {
    const model::Node& node = snapshot.nodes[pod.node.value()];
    ++counts[node.zone.value()];
  }
  return counts;
}

GenerateOptions options_of(ClusterShape shape) {
  GenerateOptions options;
  options.shape = shape;
  return options;
}

TEST(Generate, EqualOptionsGiveEqualBytesAndAnotherSeedDoesNot) {
  GenerateOptions options;
  EXPECT_EQ(generated(options), generated(options));
  GenerateOptions other = options;
  other.shape.seed = 2;
  EXPECT_NE(generated(options), generated(other));
}

// A change of the bytes for given options breaks what people have written down about a cluster.
TEST(Generate, TheBytesAreTheSameOnEveryMachine) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : generated({})) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  EXPECT_EQ(hash, 940324173412988891U);
}

TEST(Generate, WritesWhatWasAskedFor) {
  const Loaded loaded = read_back(options_of({.nodes = 20,
                                              .zones = 4,
                                              .regions = 2,
                                              .services = 60,
                                              .pods = 700,
                                              .skew = 0.2,
                                              .seed = 7}));
  const model::Snapshot& snapshot = *loaded.snapshot;
  EXPECT_EQ(snapshot.nodes.size(), 20U);
  EXPECT_EQ(snapshot.zones.size(), 4U);
  EXPECT_EQ(snapshot.regions.size(), 2U);
  EXPECT_EQ(snapshot.services.size(), 60U);
  EXPECT_EQ(snapshot.namespaces.size(), 3U);
  EXPECT_EQ(snapshot.pods.size(), 700U);
  EXPECT_EQ(snapshot.endpoints.size(), 700U);
  EXPECT_TRUE(loaded.skipped_kinds.empty());
  std::set<IpAddress> addresses(snapshot.pod_addresses.begin(), snapshot.pod_addresses.end());
  EXPECT_EQ(addresses.size(), 700U);
}

TEST(Generate, SkewSaysHowManyPodsTheNextZoneGets) {
  const struct {
    const char* name;
    double skew;
    std::vector<std::size_t> pods;
  } cases[] = {
      {"even", 0, {400, 400, 400}},
      {"half as many in each next zone", 0.5, {686, 343, 171}},
      {"all in the first zone", 1, {1200, 0, 0}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Loaded loaded = read_back(options_of({.nodes = 9,
                                                .zones = 3,
                                                .regions = 1,
                                                .services = 1,
                                                .pods = 1200,
                                                .skew = c.skew,
                                                .seed = 1}));
    const auto counts = pods_by_zone(*loaded.snapshot);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(static_cast<double>(counts[i]), static_cast<double>(c.pods[i]), 1);
  }
}

TEST(Generate, AllFormatsSayTheSame) {
  auto facts = [](const Loaded& loaded) {
    const model::Snapshot& snapshot = *loaded.snapshot;
    std::vector<std::tuple<std::string, std::string, bool>> all;
    for (const model::Endpoint& endpoint : snapshot.endpoints)
      all.emplace_back(endpoint.address.text(), snapshot.node_name(endpoint.node),
                       endpoint.ready == model::Condition::True);
    for (const model::Service& service : snapshot.services)
      all.emplace_back(snapshot.names[service.name],
                       std::string(snapshot.names[service.topology_mode]) + "|" +
                           std::string(snapshot.names[service.traffic_distribution]) + "|" +
                           std::string(snapshot.names[service.routing.policy]) + "|" +
                           std::string(snapshot.names[service.routing.topology_keys]),
                       service.headless);
    std::ranges::sort(all);
    return all;
  };
  GenerateOptions options;
  options.shape.pods = 300;
  const auto derived = facts(read_back(options));
  options.slices = true;
  EXPECT_EQ(facts(read_back(options)), derived) << "slices say what derivation finds";
  options.format = TextFormat::Yaml;
  EXPECT_EQ(facts(read_back(options)), derived);
  options.format = TextFormat::CompactJson;
  options.managed_fields = true;
  EXPECT_EQ(facts(read_back(options)), derived);
}

TEST(Generate, APolicyMixGivesEveryServiceThatPolicy) {
  const struct {
    const char* name;
    const char* expected;  // topology-mode, distribution, policy, keys: which of them is set
  } cases[] = {
      {"none", "----"},
      {"auto", "x---"},
      {"prefer-same-zone", "-x--"},
      {"prefer-same-node", "-x--"},
      {"balanced", "--x-"},
      {"topology-keys", "---x"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    GenerateOptions options;
    const auto mix = parse_policy_mix(c.name);
    ASSERT_TRUE(mix);
    options.policy_mix = *mix;
    const Loaded loaded = read_back(options);
    for (const model::Service& service : loaded.snapshot->services) {
      std::string set;
      for (NameId text : {service.topology_mode, service.traffic_distribution,
                          service.routing.policy, service.routing.topology_keys})
        set += text ? 'x' : '-';
      EXPECT_EQ(set, c.expected);
    }
  }
  EXPECT_FALSE(parse_policy_mix("other"));
}

TEST(Generate, MixedHasEveryPolicy) {
  GenerateOptions options;
  options.shape.services = 200;
  const Loaded loaded = read_back(options);
  std::set<std::string> seen;
  for (const model::Service& service : loaded.snapshot->services)
    for (NameId text :
         {service.topology_mode, service.traffic_distribution, service.routing.policy})
      seen.emplace(loaded.snapshot->names[text]);
  EXPECT_EQ(seen, (std::set<std::string>{"", "Auto", "PreferClose", "PreferSameZone",
                                         "PreferSameNode", "balanced"}));
}

TEST(Generate, RefusesWhatMakesNoSense) {
  const struct {
    const char* name;
    ClusterShape shape;
  } cases[] = {
      {"no zone", {.zones = 0}},
      {"no region", {.regions = 0}},
      {"more regions than zones", {.zones = 2, .regions = 3}},
      {"fewer nodes than zones", {.nodes = 2, .zones = 3}},
      {"pods without a service", {.services = 0}},
      {"negative skew", {.skew = -0.1}},
      {"too much skew", {.skew = 1.1}},
      {"skew that is no number", {.skew = 0.0 / 0.0}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    std::string text;
    const Status status = generate(options_of(c.shape), [&](std::string_view t) { text += t; });
    EXPECT_FALSE(status);
    EXPECT_TRUE(text.empty());
  }
}

TEST(Generate, AnEmptyClusterIsACluster) {
  const Loaded loaded = read_back(options_of(
      {.nodes = 1, .zones = 1, .regions = 1, .services = 1, .pods = 0, .skew = 0, .seed = 1}));
  EXPECT_EQ(loaded.snapshot->slices.size(), 1U);
  EXPECT_TRUE(loaded.snapshot->endpoints.empty());
}

TEST(Generate, ManyZonesKeepTheOrderOfTheirNames) {
  const Loaded loaded = read_back(options_of(
      {.nodes = 40, .zones = 40, .regions = 4, .services = 1, .pods = 100, .skew = 1, .seed = 1}));
  EXPECT_EQ(loaded.snapshot->zones.size(), 40U);
  EXPECT_EQ(pods_by_zone(*loaded.snapshot)[0], 100U);
}

TEST(Generate, HandsTheTextOnInPieces) {
  GenerateOptions options;
  options.shape.pods = 2000;
  std::size_t largest = 0, pieces = 0;
  const Status status = generate(options, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    ++pieces;
  });
  EXPECT_TRUE(status);
  EXPECT_GT(pieces, 10U);
  EXPECT_LT(largest, 1U << 20);
}

}  // namespace
}  // namespace proxima::manifest
