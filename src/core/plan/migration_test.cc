// SPDX-License-Identifier: Apache-2.0
#include "core/plan/migration.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::Reason;

constexpr const char* kThreeEqual = "node n1 a 4; node n2 b 4; node n3 c 4; ";

// The plan has to outlive what is planned from it.
struct Planned {
  explicit Planned(const std::string& cluster, const PlanOptions& options = {})
      : plan(plan_cluster(test::cluster(cluster), options)),
        migrations(plan_migrations(plan, {}, [](const model::Service&) { return true; })) {}

  const Migration& first() const { return migrations.services.front(); }
  const Move& move(MoveTarget target) const { return *find_move(first(), target); }

  ClusterPlan plan;
  Migrations migrations;
};

// "-proxima.io/policy trafficDistribution=PreferSameZone -topologyKeys"
std::string patch_text(const ServicePatch& patch) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  for (const AnnotationChange& change : patch.annotations) {
    const std::string key(change.key.substr(change.key.find('/') + 1));
    add(change.value ? key + "=" + std::string(*change.value) : "-" + key);
  }
  if (patch.traffic_distribution)
    add("trafficDistribution=" + std::string(*patch.traffic_distribution));
  if (patch.removes_topology_keys) add("-topologyKeys");
  if (patch.removes_traffic_policy) add("-trafficPolicy");
  return out;
}

// Codes of what is in the way; what a key is lost behind the code.
std::string against(const Move& move) {
  std::string out;
  for (const policy::Note& note : move.in_the_way) {
    out += (out.empty() ? "" : " ") + std::string(policy::text_of(note.reason).code);
    if (note.reason == Reason::MoveLosesTopologyKey) out += ":" + std::string(note.subject);
  }
  return out;
}

std::string name_of(std::optional<MoveTarget> target) {
  if (!target) return "-";
  constexpr const char* kNames[] = {"field", "balanced", "auto"};
  return kNames[static_cast<std::size_t>(*target)];
}

TEST(Migration, PatchesTakeTheOldWishAwayAndPutTheNewOneIn) {
  const struct {
    const char* what;
    const char* service;
    const char* to_field;
    const char* to_balanced;
    const char* to_auto;
  } rows[] = {
      {"keys for the zone become PreferSameZone", "topology-keys=topology.kubernetes.io/zone,*",
       "trafficDistribution=PreferSameZone -topologyKeys",
       "policy=balanced overload=20% -topologyKeys", "topology-mode=Auto -topologyKeys"},
      {"keys that begin with the node become PreferSameNode",
       "topology-keys=kubernetes.io/hostname,topology.kubernetes.io/zone,*",
       "trafficDistribution=PreferSameNode -topologyKeys",
       "policy=balanced overload=20% node-first=true -topologyKeys",
       "topology-mode=Auto -topologyKeys"},
      {"keys in the annotation go", "keys=topology.kubernetes.io/zone,*",
       "-topology-keys trafficDistribution=PreferSameZone",
       "policy=balanced overload=20% -topology-keys", "topology-mode=Auto -topology-keys"},
      {"what is auto already has no patch for it", "mode=Auto",
       "-topology-mode trafficDistribution=PreferSameZone",
       "policy=balanced overload=20% -topology-mode", ""},
      {"both annotations go, because the old one wins", "mode=Auto hints=Auto",
       "-topology-mode -topology-aware-hints trafficDistribution=PreferSameZone",
       "policy=balanced overload=20% -topology-mode -topology-aware-hints", ""},
      {"PreferZone goes", "traffic-policy=PreferZone",
       "trafficDistribution=PreferSameZone -trafficPolicy",
       "policy=balanced overload=20% -trafficPolicy", ""},
      {"another trafficPolicy stays", "mode=Auto traffic-policy=Cluster",
       "-topology-mode trafficDistribution=PreferSameZone",
       "policy=balanced overload=20% -topology-mode", ""},
      {"the field stays under balanced, for clusters without Proxima", "PreferClose", "",
       "policy=balanced overload=20%", "topology-mode=Auto"},
      {"a bound that is said stays", "mode=Auto overload=5%",
       "-topology-mode trafficDistribution=PreferSameZone", "policy=balanced -topology-mode", ""},
      {"a policy of ours goes, because it is stronger", "zone-aware",
       "-policy trafficDistribution=PreferSameZone", "policy=balanced overload=20%",
       "-policy topology-mode=Auto"},
      {"what is balanced already has no patch for it", "balanced",
       "-policy trafficDistribution=PreferSameZone", "", "-policy topology-mode=Auto"},
      {"a Service that asks for nothing", "", "trafficDistribution=PreferSameZone",
       "policy=balanced overload=20%", "topology-mode=Auto"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    const Planned got(kThreeEqual + std::string("service s/web ") + row.service +
                      "; endpoint n1; endpoint n2; endpoint n3");
    EXPECT_EQ(patch_text(got.move(MoveTarget::TrafficDistribution).patch), row.to_field);
    EXPECT_EQ(patch_text(got.move(MoveTarget::Balanced).patch), row.to_balanced);
    EXPECT_EQ(patch_text(got.move(MoveTarget::Auto).patch), row.to_auto);
    for (const Move& move : got.first().moves)
      EXPECT_EQ(move.is_there, !move.patch.changes_something());
  }
}

TEST(Migration, SaysWhatIsInTheWayAndSuggestsWhatLosesNothing) {
  const struct {
    const char* what;
    const char* service;  // and its endpoints
    const char* against_field;
    const char* against_balanced;
    const char* suggested;
  } rows[] = {
      {"keys with * and Pods everywhere move to the field",
       "topology-keys=topology.kubernetes.io/zone,*; endpoint n1; endpoint n2; endpoint n3", "", "",
       "field"},
      {"keys without * reject, and nothing else does",
       "topology-keys=topology.kubernetes.io/zone; endpoint n1; endpoint n2; endpoint n3",
       "move_never_rejects", "move_never_rejects", "-"},
      {"keys for a rack have no counterpart",
       "topology-keys=rack,topology.kubernetes.io/zone,*; endpoint n1; endpoint n2; endpoint n3",
       "move_loses_topology_key:rack", "move_loses_topology_key:rack", "-"},
      {"keys for the node alone get the zone as well",
       "topology-keys=kubernetes.io/hostname,*; endpoint n1; endpoint n2; endpoint n3",
       "move_adds_zone_tier", "", "field"},
      {"a zone without endpoints is so before and after",
       "topology-keys=topology.kubernetes.io/zone,*; endpoint n1 x2; endpoint n2",
       "same_zone_not_everywhere", "balanced_no_local_endpoints", "field"},
      {"auto that refuses four endpoints moves to balanced, which keeps a bound",
       "mode=Auto; endpoint n1 x2; endpoint n2; endpoint n3", "move_exceeds_bound",
       "hints_cannot_approximate_split", "balanced"},
      {"auto that works with as many Pods in each zone moves to the field",
       "mode=Auto; endpoint n1 x2; endpoint n2 x2; endpoint n3 x2", "", "", "field"},
      {"auto with a zone without endpoints moves to the field where nothing changes",
       "mode=Auto; endpoint n1 x3; endpoint n2 x3", "same_zone_not_everywhere",
       "balanced_no_local_endpoints", "field"},
      {"and to balanced where a zone would be overloaded",
       "mode=Auto; endpoint n1 x4; endpoint n2 x2", "move_exceeds_bound same_zone_not_everywhere",
       "balanced_no_local_endpoints", "balanced"},
      {"external traffic stays on its node whatever is chosen",
       "mode=Auto external=Local external-ips; endpoint n1 x2; endpoint n2 x2; endpoint n3 x2",
       "external_traffic_policy_local", "external_traffic_policy_local", "field"},
      {"internal traffic that has to stay on its node",
       "mode=Auto internal=Local; endpoint n1; endpoint n2; endpoint n3",
       "internal_traffic_policy_local", "internal_traffic_policy_local", "field"},
      {"an endpoint without a zone", "mode=Auto; endpoint n1; endpoint n2; endpoint n3 zone=-",
       "endpoint_zone_unknown balanced_no_local_endpoints",
       "balanced_no_local_endpoints unplaced_endpoints", "field"},
      {"a bad setting is named", "mode=Auto overload=much; endpoint n1; endpoint n2; endpoint n3",
       "invalid_overload", "invalid_overload", "field"},
      {"a Service that nobody has to move",
       "PreferSameZone; endpoint n1 x4; endpoint n2; endpoint n3", "", "", "-"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    const Planned got(kThreeEqual + std::string("service s/web ") + row.service);
    EXPECT_EQ(against(got.move(MoveTarget::TrafficDistribution)), row.against_field);
    EXPECT_EQ(against(got.move(MoveTarget::Balanced)), row.against_balanced);
    EXPECT_EQ(name_of(got.first().suggested), row.suggested);
  }
}

TEST(Migration, GatesThatAreOffAreInTheWay) {
  const std::string cluster =
      kThreeEqual + std::string(
                        "service s/web topology-keys=topology.kubernetes.io/zone,*; "
                        "endpoint n1; endpoint n2; endpoint n3");
  PlanOptions options;
  options.defaults.gates.service_traffic_distribution = false;
  options.defaults.gates.prefer_same_traffic_distribution = false;
  const Planned without_field(cluster, options);
  EXPECT_EQ(against(without_field.move(MoveTarget::TrafficDistribution)), "feature_gate_off");
  EXPECT_NEAR(without_field.move(MoveTarget::TrafficDistribution).outcome.local, 1.0 / 3, 1e-9);
  EXPECT_EQ(name_of(without_field.first().suggested), "balanced");

  options.defaults.gates.service_traffic_distribution = true;
  const Planned old_name(cluster, options);
  EXPECT_EQ(old_name.move(MoveTarget::TrafficDistribution).value, "PreferClose");
  EXPECT_EQ(against(old_name.move(MoveTarget::TrafficDistribution)), "");

  options = {};
  options.defaults.gates.topology_aware_hints = false;
  const Planned without_hints(cluster, options);
  EXPECT_EQ(against(without_hints.move(MoveTarget::TrafficDistribution)), "hints_switched_off");
  EXPECT_EQ(against(without_hints.move(MoveTarget::Auto)), "feature_gate_off");
}

TEST(Migration, FiguresAreThoseOfThePlanThatIsForced) {
  const std::string cluster =
      kThreeEqual + std::string(
                        "service s/web Auto demand=clients=Deployment/shop; "
                        "endpoint n1 x2; endpoint n2; endpoint n3 weight=3;"
                        "pod s/c1 n1 owner=Deployment/shop; pod t/c2 n1 owner=Deployment/shop;"
                        "pod s/c3 n3 owner=Deployment/shop; pod s/c4 n2 owner=Deployment/other");
  const Planned got(cluster);
  const struct {
    MoveTarget target;
    policy::PolicyKind policy;
  } rows[] = {{MoveTarget::TrafficDistribution, policy::PolicyKind::PreferSameZone},
              {MoveTarget::Balanced, policy::PolicyKind::Balanced},
              {MoveTarget::Auto, policy::PolicyKind::Auto}};
  for (const auto& row : rows) {
    SCOPED_TRACE(policy::to_text(row.policy));
    PlanOptions options;
    options.forced = row.policy;
    const ClusterPlan forced = plan_cluster(got.plan.snapshot, options);
    const Traffic traffic = predict_traffic(forced, forced.services.front());
    const Outcome& outcome = got.move(row.target).outcome;
    EXPECT_EQ(outcome.policy, row.policy);
    EXPECT_EQ(outcome.why.reason, forced.services.front().why.reason);
    EXPECT_NEAR(outcome.local, traffic.local, 1e-12);
    EXPECT_NEAR(outcome.worst_overload, traffic.worst_overload, 1e-12);
    EXPECT_NEAR(outcome.cost, traffic.cost, 1e-12);
  }
  EXPECT_NEAR(got.first().now.local, got.move(MoveTarget::Auto).outcome.local, 1e-12);
}

// "spread 6: a=2 b=2 c=2; by-zone +2: a=2 b=2(+1) c=2(+1)"
std::string advice_text(const Planned& got) {
  std::string out;
  for (const PodAdvice& advice : got.first().pods) {
    if (!out.empty()) out += "; ";
    const bool spread = advice.placement == PodPlacement::Spread;
    out += spread ? "spread " + std::to_string(advice.pods)
                  : "by-zone +" + std::to_string(advice.more);
    out += ":";
    for (const ZonePods& zone : advice.zones) {
      out += " " + std::string(got.plan.snapshot->zone_name(zone.zone)) + "=" +
             std::to_string(zone.pods);
      if (zone.more > 0) out += "(+" + std::to_string(zone.more) + ")";
    }
  }
  return out;
}

TEST(Migration, FindsThePodsThatMakeAutoWork) {
  const struct {
    const char* what;
    const char* nodes;
    const char* service;
    const char* advice;
  } rows[] = {
      {"too few for three zones", kThreeEqual, "mode=Auto; endpoint n1; endpoint n2",
       "spread 3: a=1 b=1 c=1; by-zone +1: a=1 b=1 c=1(+1)"},
      {"four in three zones are refused, six are not", kThreeEqual,
       "mode=Auto; endpoint n1 x2; endpoint n2; endpoint n3",
       "spread 6: a=2 b=2 c=2; by-zone +2: a=2 b=2(+1) c=2(+1)"},
      {"enough, but all in one zone", kThreeEqual, "mode=Auto; endpoint n1 x6",
       "spread 6: a=2 b=2 c=2; by-zone +0: a=2 b=2(+2) c=2(+2)"},
      {"spread already", kThreeEqual, "mode=Auto; endpoint n1 x2; endpoint n2 x2; endpoint n3 x2",
       ""},
      {"hints that only stay because they are there", "node n1 a 4; node n2 b 4; ",
       "mode=Auto; endpoint n1 hint=a; endpoint n1 hint=a; endpoint n1 hint=a; "
       "endpoint n2 hint=b; endpoint n2 hint=b",
       "spread 6: a=3 b=3; by-zone +1: a=3 b=3(+1)"},
      {"zones of unlike size need unlike numbers", "node n1 a 8; node n2 b 4; ",
       "mode=Auto; endpoint n1 x3; endpoint n2 x3", "by-zone +0: a=4(+1) b=2"},
      {"a Service with another policy gets proposals, too", kThreeEqual,
       "PreferClose; endpoint n1; endpoint n2",
       "spread 3: a=1 b=1 c=1; by-zone +1: a=1 b=1 c=1(+1)"},
      {"endpoints that are not ready do not count", kThreeEqual,
       "mode=Auto; endpoint n1; endpoint n2; endpoint n3 !ready",
       "spread 3: a=1 b=1 c=1; by-zone +1: a=1 b=1 c=1(+1)"},
      {"Pods do not help where nodes have no zone", "node n1 a 4; node n2 b 4; node n3 - 4; ",
       "mode=Auto; endpoint n1", ""},
      {"Pods do not help in one zone", "node n1 a 4; node n2 a 4; ", "mode=Auto; endpoint n1", ""},
      {"Pods do not help where an endpoint has no zone", kThreeEqual,
       "mode=Auto; endpoint n1; endpoint n2 zone=-", ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    const Planned got(row.nodes + std::string("service s/web ") + row.service);
    EXPECT_EQ(advice_text(got), row.advice);
    for (const PodAdvice& advice : got.first().pods)
      EXPECT_GE(advice.outcome.local, got.move(MoveTarget::Auto).outcome.local);
  }
}

TEST(Migration, ThresholdsOfTheServiceCount) {
  const Planned strict(kThreeEqual + std::string("service s/web mode=Auto auto-start=0; "
                                                 "endpoint n1 x3; endpoint n2 x2; endpoint n3 x2"));
  EXPECT_EQ(advice_text(strict), "spread 9: a=3 b=3 c=3; by-zone +2: a=3 b=3(+1) c=3(+1)");
}

TEST(Migration, ServicesThatNobodyRoutesHaveNoMoves) {
  const Planned got(kThreeEqual + std::string("service s/dns headless; endpoint n1;"
                                              "service s/down mode=Auto; endpoint n1 !ready;"
                                              "service s/gone"));
  ASSERT_EQ(got.migrations.services.size(), 3U);
  for (const Migration& one : got.migrations.services) {
    EXPECT_TRUE(one.moves.empty());
    EXPECT_TRUE(one.pods.empty());
    EXPECT_FALSE(one.suggested);
    EXPECT_FALSE(one.decided.empty());
  }
  EXPECT_EQ(got.migrations.services[1].now.why.reason, Reason::NoneReady);
}

TEST(Migration, NamesTheWorkloadWhenThereIsOne) {
  const std::string pods =
      "endpoint n1 pod=w1; endpoint n2 pod=w2; pod s/w1 n1 owner=Deployment/web; ";
  const Planned one(kThreeEqual + std::string("service s/web; ") + pods +
                    "pod s/w2 n2 owner=Deployment/web; pod t/w2 n2 owner=Deployment/other");
  EXPECT_EQ(one.first().workload, "Deployment/web");
  const Planned two(kThreeEqual + std::string("service s/web; ") + pods +
                    "pod s/w2 n2 owner=Deployment/web-b");
  EXPECT_EQ(two.first().workload, "");
  const Planned unknown(kThreeEqual + std::string("service s/web; ") + pods);
  EXPECT_EQ(unknown.first().workload, "");
}

TEST(Migration, LooksAtTheServicesThatAreWantedAndTellsHowFarItIs) {
  const ClusterPlan plan = plan_cluster(
      test::cluster(kThreeEqual + std::string("service s/a; endpoint n1; service s/b v6; "
                                              "endpoint n1; endpoint n2 v6")),
      {});
  std::size_t last = 0;
  const Migrations got = plan_migrations(
      plan, {.gigabytes = {{{"s", "b"}, 10}}},
      [&](const model::Service& service) { return plan.snapshot->names[service.name] == "b"; },
      [&](std::size_t done, std::size_t) { last = done; });
  EXPECT_EQ(last, 3U);
  ASSERT_EQ(got.services.size(), 2U) << "one a family";
  EXPECT_EQ(got.services[0].now.gigabytes, 5);
  EXPECT_EQ(got.services[1].family, IpFamily::V6);
}

}  // namespace
}  // namespace proxima::plan
