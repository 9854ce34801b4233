// SPDX-License-Identifier: Apache-2.0
#include "core/model/derive_slices.h"

#include <gtest/gtest.h>

#include <string>

#include "core/model/snapshot_builder.h"

namespace proxima::model {
namespace {

// One node n1 in zone a, one Service x/web (port 80 to 8080) that selects app=web, and Pods as a
// test adds them.
class World {
 public:
  World() {
    NodeDraft node;
    node.name = name("n1");
    node.labels = {{name(kZoneLabel), name("a")}};
    builder_.add(node);
    service.ns = name("x");
    service.service.name = name("web");
    service.service.has_selector = true;
    service.selector = {{name("app"), name("web")}};
    service.ports = {port("http", 8080)};
  }

  NameId name(std::string_view text) { return builder_.names().intern(text); }

  ServicePort port(std::string_view port_name, std::uint16_t target) {
    ServicePort made;
    made.name = name(port_name);
    made.protocol = name("TCP");
    made.port = 80;
    made.target_port = target;
    return made;
  }

  PodDraft pod(std::string_view pod_name, std::string_view address) {
    PodDraft made;
    made.ns = name("x");
    made.pod.name = name(pod_name);
    made.pod.node_name = name("n1");
    made.pod.phase = PodPhase::Running;
    made.pod.ready = true;
    made.labels = {{name("app"), name("web")}, {name("extra"), name("label")}};
    if (!address.empty()) made.addresses.push_back(*IpAddress::parse(address));
    return made;
  }

  void add(const PodDraft& draft) { builder_.add(draft); }

  // "web-ipv4-1 http/TCP/8080: 10.0.0.1@a 10.0.0.2!" — '!' not ready, '~' terminating, '@' zone.
  std::string derived() {
    builder_.add(service);
    snapshot = builder_.build();
    std::string out;
    for (const EndpointSlice& slice : snapshot->slices)
      out += (out.empty() ? "" : "; ") + text(slice);
    return out;
  }

  const std::vector<SkippedPod>& skipped() const { return builder_.skipped_pods(); }

  ServiceDraft service;
  SnapshotPtr snapshot;

 private:
  std::string text(const EndpointSlice& slice) const {
    std::string out(snapshot->names[slice.name]);
    for (const EndpointPort& p : Snapshot::part(snapshot->endpoint_ports, slice.ports))
      out += " " + std::string(snapshot->names[p.name]) + "/" + std::to_string(p.port);
    out += ":";
    for (const Endpoint& e : Snapshot::part(snapshot->endpoints, slice.endpoints)) {
      out += " " + e.address.text();
      if (e.zone) out += "@" + std::string(snapshot->zone_name(e.zone));
      if (e.ready != Condition::True) out += "!";
      if (e.serving != Condition::True) out += "-";
      if (e.terminating == Condition::True) out += "~";
    }
    return out;
  }

  SnapshotBuilder builder_;
};

TEST(DeriveSlices, PublishesReadyPodsWithTheirZone) {
  World world;
  world.add(world.pod("p2", "10.0.0.2"));
  world.add(world.pod("p1", "10.0.0.1"));
  EXPECT_EQ(world.derived(), "web-ipv4-1 http/8080: 10.0.0.1@a 10.0.0.2@a");
  EXPECT_TRUE(world.snapshot->slices[0].derived);
  EXPECT_TRUE(world.snapshot->slices[0].managed_by_controller);
}

TEST(DeriveSlices, SaysWhyAPodIsNotReady) {
  World world;
  PodDraft starting = world.pod("p1", "10.0.0.1");
  starting.pod.ready = false;
  world.add(starting);
  PodDraft ending = world.pod("p2", "10.0.0.2");
  ending.pod.terminating = true;
  world.add(ending);
  EXPECT_EQ(world.derived(), "web-ipv4-1 http/8080: 10.0.0.1@a!- 10.0.0.2@a!~");
}

TEST(DeriveSlices, PublishesNotReadyPodsWhenAsked) {
  World world;
  world.service.service.publish_not_ready = true;
  PodDraft starting = world.pod("p1", "10.0.0.1");
  starting.pod.ready = false;
  world.add(starting);
  PodDraft nowhere = world.pod("p2", "10.0.0.2");
  nowhere.pod.node_name = world.name("gone");
  world.add(nowhere);
  EXPECT_EQ(world.derived(), "web-ipv4-1 http/8080: 10.0.0.1@a- 10.0.0.2");
  EXPECT_TRUE(world.skipped().empty());
}

TEST(DeriveSlices, SkipsPodsOnUnknownNodesAndSaysSo) {
  World world;
  PodDraft nowhere = world.pod("p1", "10.0.0.1");
  nowhere.pod.node_name = world.name("gone");
  world.add(nowhere);
  world.add(world.pod("p2", "10.0.0.2"));
  EXPECT_EQ(world.derived(), "web-ipv4-1 http/8080: 10.0.0.2@a");
  ASSERT_EQ(world.skipped().size(), 1U);
  EXPECT_EQ(world.skipped()[0].pod, PodIndex(0));
}

TEST(DeriveSlices, LeavesOutPodsThatEndedOrHaveNoAddress) {
  World world;
  for (PodPhase phase : {PodPhase::Succeeded, PodPhase::Failed}) {
    PodDraft ended = world.pod(phase == PodPhase::Failed ? "failed" : "done", "10.0.0.9");
    ended.pod.phase = phase;
    world.add(ended);
  }
  world.add(world.pod("waiting", ""));
  EXPECT_EQ(world.derived(), "web-ipv4-1:");
}

TEST(DeriveSlices, LeavesOutPodsThatAreNotSelected) {
  World world;
  PodDraft other = world.pod("other", "10.0.0.1");
  other.labels = {{world.name("app"), world.name("db")}};
  world.add(other);
  PodDraft elsewhere = world.pod("elsewhere", "10.0.0.2");
  elsewhere.ns = world.name("y");
  world.add(elsewhere);
  EXPECT_EQ(world.derived(), "web-ipv4-1:");
}

TEST(DeriveSlices, AnEmptySelectorTakesEveryPodOfTheNamespace) {
  World world;
  world.service.selector.clear();
  PodDraft bare = world.pod("bare", "10.0.0.1");
  bare.labels.clear();
  world.add(bare);
  EXPECT_EQ(world.derived(), "web-ipv4-1 http/8080: 10.0.0.1@a");
}

TEST(DeriveSlices, NothingForAServiceWithoutSelectorOrWithAnExternalName) {
  World without;
  without.service.service.has_selector = false;
  without.service.selector.clear();
  without.add(without.pod("p1", "10.0.0.1"));
  EXPECT_EQ(without.derived(), "");
  World external;
  external.service.service.type = ServiceType::ExternalName;
  external.add(external.pod("p1", "10.0.0.1"));
  EXPECT_EQ(external.derived(), "");
}

TEST(DeriveSlices, PodsWithOtherPortsGetTheirOwnSlices) {
  World world;
  ServicePort named = world.port("http", 0);
  named.target_name = world.name("web");
  world.service.ports = {named};
  const std::uint16_t numbers[] = {8080, 9090, 8080};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i + 1);
    PodDraft pod = world.pod("p" + number, "10.0.0." + number);
    pod.container_ports.push_back({world.name("web"), world.name("TCP"), numbers[i]});
    world.add(pod);
  }
  world.add(world.pod("without", "10.0.0.4"));
  EXPECT_EQ(world.derived(),
            "web-ipv4-1 http/8080: 10.0.0.1@a 10.0.0.3@a; web-ipv4-2 http/9090: 10.0.0.2@a; "
            "web-ipv4-3: 10.0.0.4@a");
}

TEST(DeriveSlices, ANamedPortOfAnotherProtocolDoesNotCount) {
  World world;
  ServicePort named = world.port("dns", 0);
  named.target_name = world.name("dns");
  world.service.ports = {named, world.port("metrics", 9153)};
  PodDraft pod = world.pod("p1", "10.0.0.1");
  pod.container_ports.push_back({world.name("dns"), world.name("UDP"), 53});
  world.add(pod);
  EXPECT_EQ(world.derived(), "web-ipv4-1 metrics/9153: 10.0.0.1@a");
}

TEST(DeriveSlices, DualStackGetsSlicesOfBothFamilies) {
  World world;
  world.service.service.has_v6 = true;
  PodDraft both = world.pod("p1", "10.0.0.1");
  both.addresses.push_back(*IpAddress::parse("fd00::1"));
  world.add(both);
  world.add(world.pod("p2", "10.0.0.2"));
  EXPECT_EQ(world.derived(),
            "web-ipv4-1 http/8080: 10.0.0.1@a 10.0.0.2@a; web-ipv6-1 http/8080: fd00::1@a");
}

TEST(DeriveSlices, AServiceThatDoesNotSayGetsTheFamilyOfTheCluster) {
  World world;
  world.service.service.has_v4 = false;
  world.add(world.pod("p1", "fd00::1"));
  EXPECT_EQ(world.derived(), "web-ipv6-1 http/8080: fd00::1@a");
  EXPECT_TRUE(world.snapshot->services[0].has_v6);
}

TEST(DeriveSlices, FillsSlicesToAHundredAndNamesThemInOrder) {
  World world;
  for (int i = 0; i < 1001; ++i)
    world.add(world.pod("p" + std::to_string(i),
                        "10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250)));
  world.derived();
  const auto& slices = world.snapshot->slices;
  ASSERT_EQ(slices.size(), 11U);
  EXPECT_EQ(world.snapshot->names[slices[0].name], "web-ipv4-01");
  EXPECT_EQ(world.snapshot->names[slices[10].name], "web-ipv4-11");
  EXPECT_EQ(slices[9].endpoints.size, 100U);
  EXPECT_EQ(slices[10].endpoints.size, 1U);
}

TEST(DeriveSlices, KeepsTheWeightOfThePod) {
  World world;
  PodDraft heavy = world.pod("p1", "10.0.0.1");
  heavy.pod.weight = 2.5F;
  world.add(heavy);
  world.derived();
  EXPECT_EQ(world.snapshot->endpoints[0].weight, 2.5F);
}

}  // namespace
}  // namespace proxima::model
