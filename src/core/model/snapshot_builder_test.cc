// SPDX-License-Identifier: Apache-2.0
#include "core/model/snapshot_builder.h"

#include <gtest/gtest.h>

#include <string>

#include "support/cluster.h"

namespace proxima::model {
namespace {

using test::cluster;

std::string zones_of(const Snapshot& snapshot) {
  std::string out;
  for (const ZoneInfo& zone : snapshot.zones)
    out += (out.empty() ? "" : " ") + std::string(snapshot.names[zone.name]);
  return out;
}

std::string slices_of(const Snapshot& snapshot) {
  std::string out;
  for (const EndpointSlice& slice : snapshot.slices)
    out += (out.empty() ? "" : " ") + std::string(snapshot.names[slice.name]) + ":" +
           std::to_string(slice.endpoints.begin) + "+" + std::to_string(slice.endpoints.size);
  return out;
}

TEST(SnapshotBuilder, SortsEverythingByName) {
  auto snapshot = cluster(
      "node n2 b 2; node n1 a 1; node n10 c 1; service z/b; service a/z; service a/c; "
      "pod z/p1 n1; pod a/p2 n2; pod a/p1 n1");
  EXPECT_EQ(snapshot->names[snapshot->nodes[0].name], "n1");
  EXPECT_EQ(snapshot->names[snapshot->nodes[1].name], "n10");
  EXPECT_EQ(snapshot->names[snapshot->services[0].name], "c");
  EXPECT_EQ(snapshot->names[snapshot->services[1].name], "z");
  EXPECT_EQ(snapshot->namespace_name(snapshot->services[2].ns), "z");
  EXPECT_EQ(snapshot->names[snapshot->pods[0].name], "p1");
  EXPECT_EQ(snapshot->node_name(snapshot->pods[1].node), "n2");
}

TEST(SnapshotBuilder, KnowsEveryZoneThatAnythingNames) {
  auto snapshot = cluster(
      "node n1 b 1; node n2 - 1; service x/s; endpoint n1 hint=d; endpoint n2 zone=a;"
      "endpoint - zone=c");
  EXPECT_EQ(zones_of(*snapshot), "a b c d");
  EXPECT_FALSE(snapshot->nodes[1].zone);
  EXPECT_EQ(snapshot->zone_name(snapshot->endpoints[0].zone), "b");
}

TEST(SnapshotBuilder, TakesTheRegionOfAZoneFromItsNodes) {
  auto snapshot = cluster("node n1 a 1; node n2 a 1 region=west; node n3 b 1");
  EXPECT_EQ(snapshot->regions.size(), 1U);
  EXPECT_EQ(snapshot->zones[0].region, RegionIndex(0));
  EXPECT_FALSE(snapshot->zones[1].region);
}

TEST(SnapshotBuilder, EndpointsOfAServiceAndFamilyAreOneRange) {
  auto snapshot = cluster(
      "node n1 a 1; service x/b v6; endpoint n1 v6; slice; endpoint n1 x2; slice; endpoint n1 v6;"
      "slice; endpoint n1; service x/a; endpoint n1");
  EXPECT_EQ(slices_of(*snapshot), "a-aa:0+1 b-ab:1+2 b-ad:3+1 b-aa:4+1 b-ac:5+1");
  const Service& b = snapshot->services[1];
  EXPECT_EQ(b.slices.begin, 1U);
  EXPECT_EQ(b.slices.size, 4U);
}

TEST(SnapshotBuilder, SlicesWithoutAServiceGoLast) {
  SnapshotBuilder builder;
  auto name = [&](std::string_view text) { return builder.names().intern(text); };
  SliceDraft orphan;
  orphan.ns = name("a");
  orphan.name = name("orphan");
  orphan.service = name("gone");
  builder.add(orphan);
  SliceDraft owned = orphan;
  owned.name = name("owned");
  owned.service = name("web");
  builder.add(owned);
  ServiceDraft service;
  service.ns = name("a");
  service.service.name = name("web");
  builder.add(service);
  auto snapshot = builder.build();
  EXPECT_EQ(slices_of(*snapshot), "owned:0+0 orphan:0+0");
  EXPECT_TRUE(snapshot->slices[0].service);
  EXPECT_FALSE(snapshot->slices[1].service);
}

TEST(SnapshotBuilder, SlicesThatNobodyClaimsAreOursUnlessTheControllerHasWrittenSome) {
  for (const bool written : {false, true}) {
    SnapshotBuilder builder;
    auto name = [&](std::string_view text) { return builder.names().intern(text); };
    SliceDraft by_hand;
    by_hand.ns = name("a");
    by_hand.name = name("by-hand");
    by_hand.service = name("web");
    builder.add(by_hand);
    SliceDraft controllers = by_hand;
    controllers.name = name("web-1");
    controllers.managed_by_controller = written;
    builder.add(controllers);
    ServiceDraft service;
    service.ns = name("a");
    service.service.name = name("web");
    service.service.has_selector = true;
    builder.add(service);
    auto snapshot = builder.build();
    EXPECT_EQ(slices_of(*snapshot), written ? "web-1:0+0 by-hand:0+0" : "by-hand:0+0 web-1:0+0");
    EXPECT_FALSE(snapshot->slices[0].foreign);
    EXPECT_EQ(snapshot->slices[1].foreign, written);
  }
}

TEST(SnapshotBuilder, TheLastOfDuplicatesWins) {
  auto snapshot = cluster("node n1 a 1; node n2 b 1; node n1 c 7; service x/s Auto; service x/s");
  ASSERT_EQ(snapshot->nodes.size(), 2U);
  EXPECT_EQ(snapshot->zone_name(snapshot->nodes[0].zone), "c");
  EXPECT_EQ(snapshot->nodes[0].cpu.milli(), 7000);
  ASSERT_EQ(snapshot->services.size(), 1U);
  EXPECT_FALSE(snapshot->services[0].topology_mode);
}

TEST(SnapshotBuilder, NamespacesExistWhenSomethingLivesInThem) {
  auto snapshot = cluster("namespace b policy=auto; service c/s; pod a/p -; pod b/p -");
  ASSERT_EQ(snapshot->namespaces.size(), 3U);
  EXPECT_EQ(snapshot->names[snapshot->namespaces[1].routing.policy], "auto");
  EXPECT_FALSE(snapshot->namespaces[2].routing.policy);
}

TEST(SnapshotBuilder, HintsKeepTheirOrderAndUnknownNodesMatchNobody) {
  auto snapshot = cluster("node n1 a 1; service x/s; endpoint n1 hint=b,a node-hint=gone,n1");
  const Endpoint& endpoint = snapshot->endpoints[0];
  EXPECT_EQ(endpoint.zone_hint_count, 2);
  EXPECT_EQ(endpoint.node_hint_count, 2);
  EXPECT_EQ(snapshot->hints, (std::vector<std::uint32_t>{1, 0, kUnknownHint, 0}));
}

TEST(SnapshotBuilder, DropsHintsPastTheLimitOfTheApi) {
  auto snapshot = cluster("node n1 a 1; service x/s; endpoint n1 hint=a,b,c,d,e,f,g,h,i,j");
  EXPECT_EQ(snapshot->endpoints[0].zone_hint_count, kMaxHints);
  EXPECT_EQ(snapshot->hints.size(), kMaxHints);
}

TEST(SnapshotBuilder, ZonesOfNodesAreNotCrowdedOutByThoseOfSlices) {
  std::string text = "node n1 z-last 1; service x/s;";
  for (std::size_t i = 0; i < kMaxZones + 10; ++i)
    text += "endpoint - zone=a" + std::to_string(10'000 + i) + ";";
  const auto snapshot = cluster(text + "endpoint n1");
  EXPECT_EQ(snapshot->zones.size(), kMaxZones);
  EXPECT_TRUE(snapshot->nodes[0].zone) << "the zone of a node counts before others";
  EXPECT_TRUE(snapshot->endpoints.front().zone);
  EXPECT_FALSE(snapshot->endpoints[kMaxZones].zone) << "one beyond the limit is none";
  EXPECT_TRUE(snapshot->endpoints.back().zone);
}

TEST(SnapshotBuilder, TheWeightOfAnEndpointIsThatOfItsPod) {
  SnapshotBuilder builder;
  auto name = [&](std::string_view text) { return builder.names().intern(text); };
  PodDraft pod;
  pod.ns = name("x");
  pod.pod.name = name("heavy");
  pod.pod.weight = 3;
  builder.add(pod);
  SliceDraft slice;
  slice.ns = name("x");
  slice.name = name("s");
  for (const char* target : {"heavy", "other"}) {
    EndpointDraft endpoint;
    endpoint.pod = name(target);
    slice.endpoints.push_back(endpoint);
  }
  slice.endpoints.push_back(slice.endpoints[0]);
  slice.endpoints.back().weight = 5;
  slice.endpoints.push_back(slice.endpoints[0]);
  slice.endpoints.back().pod_ns = name("y");
  builder.add(slice);
  auto snapshot = builder.build();
  EXPECT_EQ(snapshot->endpoints[0].weight, 3);
  EXPECT_EQ(snapshot->endpoints[1].weight, 1);
  EXPECT_EQ(snapshot->endpoints[2].weight, 5);
  EXPECT_EQ(snapshot->endpoints[3].weight, 1) << "a Pod of that name in another namespace";
}

TEST(SnapshotBuilder, LabelsAreSortedAndTheFirstOfAKeyStays) {
  SnapshotBuilder builder;
  auto name = [&](std::string_view text) { return builder.names().intern(text); };
  const NameId a = name("a"), b = name("b");
  NodeDraft node;
  node.name = name("n1");
  node.labels = {{b, a}, {a, a}, {b, b}};
  builder.add(node);
  auto snapshot = builder.build();
  const Labels labels = Snapshot::part(snapshot->labels, snapshot->nodes[0].labels);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(label_value(labels, b), a);
}

TEST(SnapshotBuilder, AnEmptyZoneLabelIsNoZone) {
  auto snapshot = cluster("node n1 - 1 topology.kubernetes.io/zone= control-plane; node n2 a -");
  EXPECT_FALSE(snapshot->nodes[0].zone);
  EXPECT_TRUE(snapshot->nodes[0].control_plane);
  EXPECT_TRUE(snapshot->nodes[1].cpu.is_zero());
  EXPECT_EQ(zones_of(*snapshot), "a");
}

TEST(SnapshotBuilder, IsEmptyAfterBuilding) {
  SnapshotBuilder builder;
  NodeDraft node;
  node.name = builder.names().intern("n1");
  builder.add(node);
  EXPECT_EQ(builder.build()->nodes.size(), 1U);
  EXPECT_EQ(builder.build()->nodes.size(), 0U);
}

TEST(Snapshot, FindsThingsByName) {
  auto snapshot = cluster("node n1 a 1; node n2 b 1; service x/web; service y/web");
  EXPECT_EQ(snapshot->find_zone("b"), ZoneIndex(1));
  EXPECT_FALSE(snapshot->find_zone("c"));
  EXPECT_EQ(snapshot->find_node("n2"), NodeIndex(1));
  EXPECT_FALSE(snapshot->find_node("n3"));
  EXPECT_EQ(snapshot->find_namespace("y"), NamespaceIndex(1));
  EXPECT_EQ(snapshot->find_service("y", "web"), ServiceIndex(1));
  EXPECT_FALSE(snapshot->find_service("x", "db"));
  EXPECT_FALSE(snapshot->find_service("z", "web"));
  EXPECT_EQ(snapshot->zone_name(ZoneIndex()), "");
}

}  // namespace
}  // namespace proxima::model
