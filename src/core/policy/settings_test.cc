// SPDX-License-Identifier: Apache-2.0
#include "core/policy/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/cluster.h"

namespace proxima::policy {
namespace {

struct Resolved {
  model::SnapshotPtr snapshot;
  ResolvedSettings got;
};

Resolved resolve(const std::string& words, const std::string& ns = "", Settings defaults = {}) {
  const std::string text = "node n1 a 1; namespace ns " + ns + "; service ns/web " + words;
  auto snapshot = test::cluster(text);
  const auto& service = snapshot->services.front();
  return {snapshot, resolve_settings(*snapshot, service, defaults, std::nullopt)};
}

bool mentions(const ResolvedSettings& resolved, Reason reason) {
  return std::any_of(resolved.chain.begin(), resolved.chain.end(),
                     [&](const Note& note) { return note.reason == reason; });
}

// clang-format off
TEST(Settings, TakeTheStrongestSource) {
  using enum PolicyKind;
  const struct {
    const char* name;
    const char* service;
    const char* ns;
    PolicyKind policy;
    Reason from;
  } rows[] = {
      {"silence is cluster-wide",            "",                                       "",                PolicyKind::ClusterWide, Reason::NothingSaid},
      {"our annotation",                     "balanced",                               "",                Balanced,       Reason::PolicyFromServiceAnnotation},
      {"our annotation over every field",    "zone-aware mode=Auto distribution=PreferClose", "policy=auto", ZoneAware,   Reason::PolicyFromServiceAnnotation},
      {"upstream's annotation, new name",    "mode=Auto",                              "",                Auto,           Reason::PolicyFromTopologyAnnotation},
      {"in lower case",                      "mode=auto",                              "",                Auto,           Reason::PolicyFromTopologyAnnotation},
      {"under the deprecated name",          "hints=auto",                             "",                Auto,           Reason::PolicyFromTopologyAnnotation},
      {"annotation over the field",          "mode=Auto distribution=PreferClose",     "",                Auto,           Reason::PolicyFromTopologyAnnotation},
      {"a deprecated one that disables wins","hints=disabled mode=Auto",               "",                PolicyKind::ClusterWide, Reason::NothingSaid},
      {"one that disables leaves the field", "mode=Disabled distribution=PreferClose", "",                PreferSameZone, Reason::PolicyFromTrafficDistribution},
      {"AUTO is not Auto",                   "mode=AUTO",                              "",                PolicyKind::ClusterWide, Reason::NothingSaid},
      {"PreferClose is prefer-same-zone",    "distribution=PreferClose",               "",                PreferSameZone, Reason::PolicyFromTrafficDistribution},
      {"PreferSameZone",                     "distribution=PreferSameZone",            "",                PreferSameZone, Reason::PolicyFromTrafficDistribution},
      {"PreferSameNode",                     "distribution=PreferSameNode",            "",                PreferSameNode, Reason::PolicyFromTrafficDistribution},
      {"our heuristics in the same field",   "distribution=proxima.io/balanced",       "",                Balanced,       Reason::PolicyFromTrafficDistribution},
      {"the zone that KEP-2433 requires",    "RequireZone",                            "",                RequireZone,    Reason::PolicyFromServiceAnnotation},
      {"by our name in the field",           "distribution=proxima.io/require-zone",   "",                RequireZone,    Reason::PolicyFromTrafficDistribution},
      {"an old name of auto",                "traffic-policy=PreferZone",              "",                Auto,           Reason::PolicyFromTrafficPolicyField},
      {"keys in the field",                  "topology-keys=topology.kubernetes.io/zone,*", "",           TopologyKeys,   Reason::PolicyFromTopologyKeys},
      {"keys in the annotation",             "keys=kubernetes.io/hostname",            "",                TopologyKeys,   Reason::PolicyFromTopologyKeys},
      {"keys over Auto",                     "keys=kubernetes.io/hostname mode=Auto",  "",                TopologyKeys,   Reason::PolicyFromTopologyKeys},
      {"the Namespace, when silent",         "",                                       "policy=balanced", Balanced,       Reason::PolicyFromNamespace},
      {"the Service over its Namespace",     "distribution=PreferClose",               "policy=balanced", PreferSameZone, Reason::PolicyFromTrafficDistribution},
      {"a bad name asks the next",           "balnced distribution=PreferSameNode",    "",                PreferSameNode, Reason::PolicyFromTrafficDistribution},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto [snapshot, got] = resolve(row.service, row.ns);
    EXPECT_EQ(to_text(got.settings.policy), to_text(row.policy));
    EXPECT_EQ(text_of(got.from.reason).code, text_of(row.from).code);
  }
}

TEST(Settings, WhatAFeatureGateSwitchesOffIsNotLookedAt) {
  using enum PolicyKind;
  const struct {
    const char* name;
    const char* gates;
    const char* service;
    PolicyKind policy;
    bool accepted;
  } rows[] = {
      {"the annotation",               "TopologyAwareHints=false",            "mode=Auto",                   PolicyKind::ClusterWide, true},
      {"so that the field counts",     "TopologyAwareHints=false",            "hints=auto distribution=PreferClose", PreferSameZone,  true},
      {"the older field of auto",      "TopologyAwareHints=false",            "traffic-policy=PreferZone",   PolicyKind::ClusterWide, true},
      {"the field",                    "ServiceTrafficDistribution=false",    "distribution=PreferClose",    PolicyKind::ClusterWide, true},
      {"not even to refuse it",        "ServiceTrafficDistribution=false",    "distribution=PreferMoon",     PolicyKind::ClusterWide, true},
      {"its newer values",             "PreferSameTrafficDistribution=false", "distribution=PreferSameZone", PolicyKind::ClusterWide, false},
      {"both of them",                 "PreferSameTrafficDistribution=false", "distribution=PreferSameNode", PolicyKind::ClusterWide, false},
      {"keys in the field",            "ServiceTopology=false",               "topology-keys=kubernetes.io/hostname", PolicyKind::ClusterWide, true},
      {"keys in the annotation",       "ServiceTopology=false",               "keys=kubernetes.io/hostname distribution=PreferClose", PreferSameZone, true},
      {"keys by our own annotation",   "ServiceTopology=false",               "topology-keys keys=kubernetes.io/hostname", PolicyKind::ClusterWide, true},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto [snapshot, got] = resolve(row.service, "", {.gates = *parse_feature_gates(row.gates)});
    EXPECT_EQ(to_text(got.settings.policy), to_text(row.policy));
    EXPECT_EQ(got.accepted, row.accepted);
    EXPECT_TRUE(mentions(got, Reason::FeatureGateOff));
  }
}

TEST(Settings, WhatAFeatureGateLeavesStillCounts) {
  const auto close = resolve("distribution=PreferClose", "", {.gates = {.prefer_same_traffic_distribution = false}});
  EXPECT_EQ(close.got.settings.policy, PolicyKind::PreferSameZone);
  const auto keys = resolve("", "", {.policy = PolicyKind::TopologyKeys, .topology_keys = {"*"}, .gates = {.service_topology = false}});
  EXPECT_EQ(keys.got.settings.policy, PolicyKind::ClusterWide);
  EXPECT_EQ(text_of(keys.got.from.reason).code, "nothing_said");
}

TEST(Settings, RefuseWhatTheyCannotReadAndSaySo) {
  const struct {
    const char* name;
    const char* service;
    Reason reason;
  } rows[] = {
      {"a policy that is none",          "balnced",                                     Reason::UnknownPolicy},
      {"a distribution that is none",    "distribution=PreferLocal",                    Reason::UnknownTrafficDistribution},
      {"a traffic policy that is none",  "traffic-policy=PreferNode",                   Reason::UnknownTrafficPolicy},
      {"an overload below zero",         "balanced overload=-5%",                       Reason::InvalidOverload},
      {"an overload in words",           "balanced overload=lots",                      Reason::InvalidOverload},
      {"an unknown source of demand",    "balanced demand=memory",                      Reason::InvalidDemand},
      {"clients without a name",         "balanced demand=clients=",                    Reason::InvalidDemand},
      {"clients of a namespace alone",   "balanced demand=clients=shop/Deployment/",    Reason::InvalidDemand},
      {"clients of no namespace",        "balanced demand=clients=/Deployment/front",   Reason::InvalidDemand},
      {"clients of too many parts",      "balanced demand=clients=a/b/Deployment/web",  Reason::InvalidDemand},
      {"a bound beyond its limit",       "balanced overload=1e308",                     Reason::InvalidOverload},
      {"more local endpoints than one has", "balanced min-local=4294967295",            Reason::InvalidMinLocalEndpoints},
      {"no endpoint as minimum",         "balanced min-local=0",                        Reason::InvalidMinLocalEndpoints},
      {"node-first in other words",      "balanced node-first=yes",                     Reason::InvalidNodeFirst},
      {"panic in other words",           "zone-aware panic=yes",                        Reason::InvalidPanic},
      {"a failover that is no budget",   "require-zone failover=10m",                   Reason::InvalidFailover},
      {"a fallback to nowhere",          "PreferSameZone fallback=zone",                Reason::InvalidFallback},
      {"annotations that differ",        "hints=auto mode=Disabled",                    Reason::ConflictingTopologyAnnotations},
      {"keys twice",                     "keys=a,b,a",                                  Reason::DuplicateTopologyKey},
      {"a catch-all before the end",     "keys=*,a",                                    Reason::CatchAllNotLast},
      {"a key that is no label",         "keys=a/b/c",                                  Reason::InvalidTopologyKey},
      {"an empty key",                   "keys=a,,b",                                   Reason::InvalidTopologyKey},
      {"seventeen keys",                 "keys=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q",      Reason::TooManyTopologyKeys},
      {"keys with external Local",       "keys=a type=NodePort external=Local",         Reason::TopologyKeysWithExternalLocal},
      {"keys with PreferZone",           "topology-keys=a traffic-policy=PreferZone",   Reason::TopologyKeysWithPreferZone},
      {"topology-keys without keys",     "topology-keys",                               Reason::TopologyKeysMissing},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto [snapshot, got] = resolve(row.service);
    EXPECT_TRUE(mentions(got, row.reason));
    EXPECT_FALSE(got.accepted);
  }
}
// clang-format on

TEST(Settings, RefuseBothWhenKeysMeetPreferZone) {
  const auto [snapshot, got] = resolve("topology-keys=a traffic-policy=PreferZone");
  EXPECT_EQ(got.settings.policy, PolicyKind::ClusterWide);
}

TEST(Settings, AcceptSixteenKeysEndingInTheCatchAll) {
  const auto [snapshot, got] = resolve("keys=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,*");
  EXPECT_TRUE(got.accepted);
  EXPECT_EQ(got.settings.topology_keys.size(), 16U);
}

TEST(Settings, TakeTheClusterDefaultLast) {
  Settings defaults;
  defaults.policy = PolicyKind::Balanced;
  const auto [snapshot, got] = resolve("", "", defaults);
  EXPECT_EQ(got.settings.policy, PolicyKind::Balanced);
  EXPECT_EQ(got.from.reason, Reason::PolicyFromClusterDefault);
}

TEST(Settings, RemarkOnWhatAStrongerOneOverrides) {
  const auto [snapshot, got] = resolve("balanced distribution=PreferClose", "policy=auto");
  EXPECT_TRUE(mentions(got, Reason::OverriddenByStrongerSetting));
  EXPECT_TRUE(got.accepted);
}

TEST(Settings, ReadParametersFromServiceOverNamespace) {
  const auto [snapshot, got] =
      resolve("balanced overload=50% min-local=3", "overload=10% demand=nodes node-first=true");
  EXPECT_EQ(got.settings.overload, 0.5);
  EXPECT_EQ(got.settings.min_local_endpoints, 3U);
  EXPECT_EQ(got.settings.demand.source, DemandSource::Nodes);
  EXPECT_TRUE(got.settings.node_first);
}

TEST(Settings, ReadWhatElseMayServeAZone) {
  const auto [snapshot, got] = resolve("require-zone failover=for=5m,min-endpoints=2");
  EXPECT_EQ(got.settings.failover, (FailoverBudget{2, std::chrono::minutes(5)}));
  const auto [strict, none] = resolve("require-zone failover=none", "failover=for=5m");
  EXPECT_FALSE(none.settings.failover);
  const auto [region, near] = resolve("PreferClose", "fallback=region");
  EXPECT_EQ(near.settings.fallback, Fallback::Region);
  const auto [all, far] = resolve("PreferClose fallback=everywhere", "fallback=region");
  EXPECT_EQ(far.settings.fallback, Fallback::Everywhere);
}

TEST(Settings, ForcedPolicyGoesBeforeEverything) {
  const auto snapshot = test::cluster("node n1 a 1; service ns/web balanced overload=7%");
  const auto got = resolve_settings(*snapshot, snapshot->services.front(), {}, PolicyKind::Auto);
  EXPECT_EQ(got.settings.policy, PolicyKind::Auto);
  EXPECT_EQ(got.from.reason, Reason::PolicyFromCommandLine);
  EXPECT_EQ(got.settings.overload, 0.07);
}

TEST(Overload, ReadsPercentagesNumbersAndInfinity) {
  EXPECT_EQ(parse_overload("20%").value(), 0.2);
  EXPECT_EQ(parse_overload("0.2").value(), 0.2);
  EXPECT_EQ(parse_overload("0").value(), 0);
  EXPECT_TRUE(std::isinf(parse_overload("inf").value()));
  EXPECT_EQ(parse_overload("1000000").value(), 1e6);
  for (const char* bad : {"", "%", "-1", "-0.1%", "1e999", "nan", "0.2x", "20 %", "infinity",
                          "1000001", "1e308", "100000001%"}) {
    EXPECT_FALSE(parse_overload(bad)) << bad;
  }
}

}  // namespace
}  // namespace proxima::policy
