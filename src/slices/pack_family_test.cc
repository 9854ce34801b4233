// SPDX-License-Identifier: Apache-2.0
#include "slices/pack_family.h"

#include <gtest/gtest.h>

#include "slices/slice_labels.h"
#include "support/slice_world.h"

namespace proxima::slices {
namespace {

using support::SliceWorld;

// Slices web-0, web-1, … of these sizes, with the first Pods of the world.
void make_slices(const std::vector<std::size_t>& sizes, SliceWorld& world) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    world.slice("web-" + std::to_string(i), first, sizes[i]);
    first += sizes[i];
  }
}

TEST(PackFamily, FillsWithAsFewWritesAsPossible) {
  struct Row {
    const char* story;
    std::vector<std::size_t> present;  // slices that are there, all of whose endpoints are wanted
    std::size_t added;
    const char* sizes;
    const char* writes;
  };
  const Row rows[] = {
      {"new Pods fill new slices", {}, 250, "100 100 50", "3 created"},
      {"what does not fill a slice goes into the one it fits best",
       {62, 61},
       127,
       "100 89 61",
       "1 created, 1 updated"},
      {"a slice that cannot take all is left alone", {74, 74}, 152, "100 74 74 52", "2 created"},
      {"a full slice's worth is a new slice though an empty one would do",
       {0},
       100,
       "100 0",
       "1 created"},
      {"of two that fit the fuller one is taken", {10, 50, 20}, 30, "80 20 10", "1 updated"},
      {"nothing new, nothing to write", {100, 3}, 0, "100 3", "nothing"},
      {"half-empty slices are not merged", {30, 30, 30}, 0, "30 30 30", "nothing"},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    std::size_t present = 0;
    for (const std::size_t count : row.present) present += count;
    world.pods(present + row.added);
    make_slices(row.present, world);
    EXPECT_EQ(world.sync(), row.writes) << row.story;
    EXPECT_EQ(world.sizes(), row.sizes) << row.story;
    EXPECT_EQ(world.sync(), "nothing") << row.story;
  }
}

TEST(PackFamily, CutsAtTheLargestSizeAllowed) {
  const std::pair<std::size_t, const char*> rows[] = {
      {50, "50 50 50 50 50"}, {80, "80 80 80 10"}, {150, "150 100"}, {250, "250"}, {500, "250"}};
  for (const auto& [most, sizes] : rows) {
    SliceWorld world;
    world.max_endpoints = most;
    world.pods(250);
    world.sync();
    EXPECT_EQ(world.sizes(), sizes);
  }
}

TEST(PackFamily, ASliceThatIsTooFullIsNotSplit) {
  SliceWorld world;
  world.pods(101);
  make_slices({100}, world);
  world.max_endpoints = 50;
  EXPECT_EQ(world.sync(), "1 created");
  EXPECT_EQ(world.sizes(), "100 1");
}

TEST(PackFamily, SlicesThatAreWrittenAnywayTakeWhatIsNewTheFullestFirst) {
  SliceWorld world;
  world.pods(115);
  make_slices({20, 80}, world);
  world.pod(0).ready = false;
  world.pod(50).ready = false;
  EXPECT_EQ(world.sync(), "2 updated");
  EXPECT_EQ(world.sizes(), "95 20");
}

TEST(PackFamily, OfSlicesThatAreEquallyFullTheFirstByNameIsFilled) {
  SliceWorld world;
  world.pods(41);
  make_slices({20, 20}, world);
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.all_slices["web-0"]->endpoints.size(), 21U);
  world.pod(41);
  world.pod(5).ready = world.pod(25).ready = false;
  world.all_pods.erase("p040");
  EXPECT_EQ(world.sync(), "2 updated");
  EXPECT_EQ(world.all_slices["web-0"]->endpoints.size(), 21U);
}

TEST(PackFamily, EndpointsThatAreAddedComeInTheOrderOfPods) {
  SliceWorld world;
  world.max_endpoints = 2;
  for (const char* name : {"c", "a", "d", "b"}) world.pod(name, "10.0.0.1", "n0");
  world.sync();
  std::string names;
  for (const auto& [name, slice] : world.all_slices)
    for (const auto& endpoint : slice->endpoints) names += endpoint.target->name.view();
  EXPECT_EQ(names, "abcd");
}

TEST(PackFamily, ANewTargetPortReusesTheSlices) {
  SliceWorld world;
  world.pods(250);
  world.sync();
  world.service.ports[0].target_port = 81;
  EXPECT_EQ(world.sync(), "3 updated");
  EXPECT_EQ(world.sizes(), "100 100 50");
}

TEST(PackFamily, ManySlicesBecomeFewWhenTheirPortsChange) {
  SliceWorld world;
  world.pods(300);
  make_slices({30, 30, 30, 30, 30, 30, 30, 30, 30, 30}, world);
  EXPECT_EQ(world.sync(), "nothing");
  world.service.ports[0].target_port = 81;
  EXPECT_EQ(world.sync(), "3 updated, 7 deleted");
  EXPECT_EQ(world.sizes(), "100 100 100");
}

TEST(PackFamily, WhatIsRecycledKeepsItsNameAndNothingElse) {
  SliceWorld world;
  world.pods(1);
  make_slices({1}, world);
  auto touched = *world.all_slices["web-0"];
  touched.annotations = support::label_set({{"a", "b"}});
  touched.finalizers = {Text("f")};
  world.put(touched);
  world.service.ports[0].target_port = 81;
  auto draft = world.pack();
  const SliceRef before = draft.deletes.at(0);
  recycle_slices(world.service, draft);
  ASSERT_EQ(draft.updates.size(), 1U);
  EXPECT_TRUE(draft.creates.empty() && draft.deletes.empty());
  EXPECT_EQ(draft.updates[0].before, before);
  const auto& value = draft.updates[0].value;
  EXPECT_EQ(value.meta.name.view(), "web-0");
  EXPECT_EQ(value.meta.version, 0U);
  EXPECT_FALSE(value.annotations);
  EXPECT_TRUE(value.finalizers.empty());
}

TEST(PackFamily, AnUpdateKeepsWhatOthersPutOnTheSlice) {
  SliceWorld world;
  world.pods(2);
  make_slices({2}, world);
  auto touched = *world.all_slices["web-0"];
  touched.annotations = support::label_set({{"a", "b"}});
  touched.finalizers = {Text("f")};
  world.put(touched);
  world.pod(1).ready = false;
  const auto draft = world.pack();
  ASSERT_EQ(draft.updates.size(), 1U);
  const auto& value = draft.updates[0].value;
  EXPECT_EQ(value.meta.version, draft.updates[0].before->meta.version);
  EXPECT_EQ(kube::label(value.annotations, "a").view(), "b");
  EXPECT_EQ(value.finalizers.size(), 1U);
  EXPECT_EQ(value.generate_name.view(), "web-");
}

TEST(PackFamily, PodsWithOtherPortsGetSlicesOfTheirOwn) {
  SliceWorld world;
  world.service.ports = {SliceWorld::named_port("http", "web")};
  for (std::size_t i = 0; i < 300; ++i) {
    auto workload = make_ref<kube::PodWorkload>();
    workload->ports = {{.name = Text("web"),
                        .protocol = kube::Protocol::Tcp,
                        .port = static_cast<std::uint16_t>(8080 + i % 5)}};
    world.pod(i).workload = workload;
  }
  EXPECT_EQ(world.sync(), "5 created");
  EXPECT_EQ(world.sizes(), "60 60 60 60 60");
  EXPECT_EQ(world.sync(), "nothing");
}

TEST(PackFamily, APodWithoutTheNamedPortIsListedWithoutIt) {
  SliceWorld world;
  world.service.ports = {SliceWorld::named_port("http", "web")};
  world.pods(1);
  world.sync();
  EXPECT_EQ(world.sizes(), "1");
  EXPECT_TRUE(world.only_slice().ports.empty());
}

TEST(PackFamily, PortsInAnotherOrderAreTheSamePorts) {
  SliceWorld world;
  world.service.ports = {SliceWorld::port("a", 1), SliceWorld::port("b", 2)};
  world.pods(3);
  world.sync();
  auto turned = world.only_slice();
  std::reverse(turned.ports.begin(), turned.ports.end());
  world.put(turned);
  EXPECT_EQ(world.sync(), "nothing");
}

TEST(PackFamily, AChangedLabelOfTheServiceReachesEverySlice) {
  SliceWorld world;
  world.pods(250);
  world.sync();
  world.service.labels = support::label_set({{"team", "x"}});
  EXPECT_EQ(world.sync(), "3 updated");
  for (const auto& [name, slice] : world.all_slices)
    EXPECT_EQ(kube::label(slice->labels, "team").view(), "x");
  world.service.labels = support::label_set(
      {{"team", "x"}, {"kubernetes.io/service-name", "y"}, {"service.kubernetes.io/headless", ""}});
  EXPECT_EQ(world.sync(), "nothing");
}

TEST(PackFamily, ALabelOfSomebodyElseIsTakenOff) {
  SliceWorld world;
  world.pods(1);
  world.sync();
  auto touched = world.only_slice();
  std::vector<kube::LabelText> labels = touched.labels->all();
  labels.insert(labels.begin(), {Text("a"), Text("b")});
  touched.labels = kube::LabelSetRef(new kube::LabelSet(labels));
  world.put(touched);
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_FALSE(kube::label(world.only_slice().labels, "a"));
}

TEST(PackFamily, LeavesHintsAloneWhereOnlyLabelsOrNeighboursChange) {
  SliceWorld world;
  world.pods(2);
  world.sync();
  auto hinted = world.only_slice();
  for (auto& endpoint : hinted.endpoints) endpoint.zone_hints = {endpoint.zone};
  world.put(hinted);
  EXPECT_EQ(world.sync(), "nothing");
  world.pod(2);
  auto draft = world.pack();
  EXPECT_EQ(draft.updates.at(0).value.endpoints[0].zone_hints.size(), 1U);
  EXPECT_TRUE(draft.updates.at(0).value.endpoints[2].zone_hints.empty());
  world.all_pods.erase("p002");
  world.service.labels = support::label_set({{"team", "x"}});
  draft = world.pack();
  EXPECT_EQ(draft.updates.at(0).value.endpoints[0].zone_hints.size(), 1U);
  world.pod(0).ready = false;
  draft = world.pack();
  EXPECT_TRUE(draft.updates.at(0).value.endpoints[1].zone_hints.empty()) << "written anew";
}

TEST(PackFamily, NeverChangesWhatIsInTheCache) {
  SliceWorld world;
  world.pods(3);
  make_slices({2}, world);
  world.pod(0).ready = false;
  const SliceRef before = world.all_slices["web-0"];
  const auto draft = world.pack();
  EXPECT_EQ(draft.updates.size(), 1U);
  EXPECT_EQ(before->endpoints.size(), 2U);
  EXPECT_EQ(before->endpoints[0].ready, model::Condition::True);
}

TEST(PackFamily, AnEndpointThatIsInTwoSlicesStaysInTheFirst) {
  SliceWorld world;
  world.pods(3);
  world.slice("web-0", 0, 2);
  world.slice("web-1", 1, 2);
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.all_slices["web-0"]->endpoints.size(), 2U);
  EXPECT_EQ(world.all_slices["web-1"]->endpoints.size(), 1U);
}

TEST(PackFamily, APodThatComesBackWithItsAddressIsChangedInPlace) {
  SliceWorld world;
  world.pods(3);
  world.sync();
  world.pod(1).uid = Text("another");
  const auto draft = world.pack();
  EXPECT_EQ(draft.endpoints_added, 0U);
  EXPECT_EQ(draft.endpoints_removed, 0U);
  EXPECT_EQ(draft.updates.at(0).value.endpoints.at(1).target->uid.view(), "another");
}

TEST(PackFamily, TwoPodsWithOneAddressAreBothListed) {
  SliceWorld world;
  world.pod("a", "10.0.0.1", "n0");
  world.pod("b", "10.0.0.1", "n0");
  world.sync();
  EXPECT_EQ(world.sizes(), "2");
}

TEST(PackFamily, ASliceThatLosesItsLastEndpointGoes) {
  SliceWorld world;
  world.pods(4);
  make_slices({2, 2}, world);
  world.all_pods.erase("p002");
  world.all_pods.erase("p003");
  EXPECT_EQ(world.sync(), "1 deleted");
  EXPECT_EQ(world.sizes(), "2");
}

// --- nodes ---

TEST(PackFamily, APodOfAnUnknownNodeIsLeftOutAndTold) {
  SliceWorld world;
  world.pods(2);
  world.pod("lost", "10.0.1.0", "gone");
  world.pod("unplaced", "10.0.1.1", "");
  const auto draft = world.pack();
  ASSERT_EQ(draft.problems.size(), 2U);
  EXPECT_EQ(draft.problems[0], "skipping Pod lost for Service shop/web: Node gone Not Found");
  EXPECT_EQ(draft.problems[1], "skipping Pod unplaced for Service shop/web: Node  Not Found");
  EXPECT_EQ(draft.endpoints_desired, 2U);
}

TEST(PackFamily, APodOfAnUnknownNodeIsListedWithoutAZoneWhereAllAreAskedFor) {
  SliceWorld world;
  world.service.publish_not_ready = true;
  world.pod("lost", "10.0.1.0", "gone");
  const auto draft = world.pack();
  EXPECT_TRUE(draft.problems.empty());
  const auto& endpoint = draft.creates.at(0).value.endpoints.at(0);
  EXPECT_EQ(endpoint.node.view(), "gone");
  EXPECT_FALSE(endpoint.zone);
}

TEST(PackFamily, ASliceIsEmptiedNotReplacedWhenAllItsNodesAreGone) {
  SliceWorld world;
  world.pods(2);
  world.sync();
  for (auto& [name, pod] : world.all_pods) pod.node = Text("gone");
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.sizes(), "0");
}

TEST(PackFamily, AZoneThatANodeGetsLaterIsPublished) {
  SliceWorld world;
  world.pods(1);
  world.node("n0", {});
  world.sync();
  EXPECT_FALSE(world.only_slice().endpoints[0].zone);
  world.node("n0", {{std::string(model::kZoneLabel), "a"}});
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.only_slice().endpoints[0].zone.view(), "a");
}

// --- the placeholder, and slices of others ---

TEST(PackFamily, AServiceWithoutPodsHasOneEmptySlice) {
  SliceWorld world;
  EXPECT_EQ(world.sync(), "1 created");
  EXPECT_TRUE(world.only_slice().ports.empty());
  EXPECT_EQ(world.sync(), "nothing");
  world.service.labels = support::label_set({{"a", "b"}});
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.sync(), "nothing");
}

TEST(PackFamily, ThePlaceholderBecomesTheFirstSliceAndTheLastSliceThePlaceholder) {
  SliceWorld world;
  world.sync();
  world.pods(1);
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.sizes(), "1");
  world.all_pods.clear();
  EXPECT_EQ(world.sync(), "1 updated");
  EXPECT_EQ(world.sizes(), "0");
  EXPECT_TRUE(world.only_slice().ports.empty());
}

TEST(PackFamily, TheOtherFamilyOfPodsWithOneAddressHasAPlaceholder) {
  SliceWorld world;
  world.pods(2);
  EXPECT_EQ(world.sync(kube::AddressType::IPv6), "1 created");
  EXPECT_EQ(world.only_slice().address_type, kube::AddressType::IPv6);
  EXPECT_EQ(world.sync(kube::AddressType::IPv6), "nothing");
}

TEST(PackFamily, SlicesOfAnEarlierServiceGoAndAreNotReused) {
  SliceWorld world;
  world.pods(1);
  world.sync();
  world.service.meta.uid = Text("a new one");
  EXPECT_EQ(world.sync(), "1 created, 1 deleted");
  EXPECT_EQ(world.sizes(), "1");
}

// Upstream keeps it, and it is collected soon after.
TEST(PackFamily, APlaceholderOfAnEarlierServiceIsReplaced) {
  SliceWorld world;
  world.sync();
  world.service.meta.uid = Text("a new one");
  EXPECT_EQ(world.sync(), "1 created, 1 deleted");
  EXPECT_EQ(world.only_slice().owners.at(0).uid.view(), "a new one");
}

TEST(PackFamily, AHeadlessServiceWithoutPortsListsItsPods) {
  SliceWorld world;
  world.service.ports.clear();
  world.service.headless = true;
  world.service.cluster_ips.clear();
  world.pods(3);
  EXPECT_EQ(world.sync(), "1 created");
  EXPECT_EQ(world.sizes(), "3");
  EXPECT_EQ(world.sync(), "nothing");
}

TEST(PackFamily, CountsWhatItAddsRemovesAndWouldLike) {
  SliceWorld world;
  auto draft = world.pack();
  EXPECT_EQ(draft.slices_desired, 1U) << "the placeholder";
  world.pods(201);
  draft = world.pack();
  EXPECT_EQ(draft.endpoints_added, 201U);
  EXPECT_EQ(draft.endpoints_desired, 201U);
  EXPECT_EQ(draft.slices_desired, 3U);
  world.sync();
  world.all_pods.erase("p007");
  world.all_pods.erase("p008");
  draft = world.pack();
  EXPECT_EQ(draft.endpoints_added, 0U);
  EXPECT_EQ(draft.endpoints_removed, 2U);
  world.service.ports[0].target_port = 81;
  draft = world.pack();
  EXPECT_EQ(draft.endpoints_added, 199U);
  EXPECT_EQ(draft.endpoints_removed, 0U) << "slices whose ports nobody has go uncounted";
}

TEST(AddressFamilies, AreTheServicesOrWhatItsAddressSays) {
  using kube::AddressType;
  struct Row {
    std::vector<IpFamily> said;
    const char* cluster_ip;
    std::vector<AddressType> wanted;
  };
  const std::vector<AddressType> v4 = {AddressType::IPv4}, v6 = {AddressType::IPv6},
                                 both = {AddressType::IPv4, AddressType::IPv6};
  const Row rows[] = {
      {{IpFamily::V4}, "10.0.0.1", v4},
      {{IpFamily::V6}, "fd00::1", v6},
      {{IpFamily::V6, IpFamily::V4}, "fd00::1", both},
      {{IpFamily::V6}, "None", v6},
      {{}, "10.0.0.1", v4},
      {{}, "fd00::1", v6},
      {{}, "None", both},
      {{}, "", both},
  };
  for (const Row& row : rows) {
    kube::ServiceRecord service;
    service.ip_families = row.said;
    service.headless = std::string(row.cluster_ip) == "None";
    if (const auto address = IpAddress::parse(row.cluster_ip))
      service.cluster_ips.push_back(*address);
    EXPECT_EQ(address_families(service), row.wanted) << row.cluster_ip;
  }
}

}  // namespace
}  // namespace proxima::slices
