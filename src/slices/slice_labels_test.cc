// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_labels.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "slices/new_slice.h"
#include "support/slice_world.h"

namespace proxima::slices {
namespace {

using Labels = std::map<std::string, std::string>;
using support::SliceWorld;

const Labels kOwn = {{"kubernetes.io/service-name", "web"},
                     {"endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"}};
const Labels kHijack = {{"kubernetes.io/service-name", "mine"},
                        {"endpointslice.kubernetes.io/managed-by", "me"},
                        {"service.kubernetes.io/headless", "maybe"}};

Labels plus(Labels a, const Labels& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Labels map_of(const kube::LabelSetRef& labels) {
  Labels all;
  for (const kube::LabelText& label : labels->all())
    all[std::string(label.key.view())] = std::string(label.value.view());
  return all;
}

TEST(SliceLabels, AreTheServicesAndTheControllersOwn) {
  const Labels headless = {{"service.kubernetes.io/headless", ""}};
  struct Row {
    const char* story;
    Labels service;
    const char* cluster_ip;
    Labels wanted;
  };
  const Row rows[] = {
      {"none", {}, "10.0.0.1", kOwn},
      {"one", {{"a", "b"}}, "10.0.0.1", plus(kOwn, {{"a", "b"}})},
      {"headless", {}, "None", plus(kOwn, headless)},
      {"without an address", {}, "", plus(kOwn, headless)},
      {"headless with a label", {{"a", "b"}}, "None", plus(plus(kOwn, headless), {{"a", "b"}})},
      {"keys that are not its own to give", plus(kHijack, {{"z", "z"}}), "10.0.0.1",
       plus(kOwn, {{"z", "z"}})},
      {"the same, headless", kHijack, "None", plus(kOwn, headless)},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    world.service.labels = support::label_set(row.service);
    world.service.headless = std::string(row.cluster_ip) == "None";
    const auto address = IpAddress::parse(row.cluster_ip);
    world.service.cluster_ips.clear();
    if (address) world.service.cluster_ips.push_back(*address);
    EXPECT_EQ(map_of(slice_labels(world.service)), row.wanted) << row.story;
  }
}

TEST(SliceLabels, MirrorWhenAllButTheControllersOwnAreEqual) {
  struct Row {
    const char* story;
    Labels slice;
    Labels service;
    bool mirrored;
  };
  const Row rows[] = {
      {"both empty", {}, {}, true},
      {"own keys do not count", kOwn, {}, true},
      {"nor do a Service's", {{"a", "b"}}, plus(kHijack, {{"a", "b"}}), true},
      {"wrong own keys alone are left", plus(kHijack, {{"a", "b"}}), {{"a", "b"}}, true},
      {"equal", plus(kOwn, {{"a", "b"}}), {{"a", "b"}}, true},
      {"another value", plus(kOwn, {{"a", "c"}}), {{"a", "b"}}, false},
      {"one is missing", kOwn, {{"a", "b"}}, false},
      {"one too many", plus(kOwn, {{"a", "b"}}), {}, false},
      {"one too many at the end", {{"a", "b"}, {"z", ""}}, {{"a", "b"}}, false},
      {"another key", {{"a", "b"}}, {{"b", "b"}}, false},
      {"an empty value is a value", {{"a", ""}}, {}, false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(mirrors_labels(support::label_set(row.slice), support::label_set(row.service)),
              row.mirrored)
        << row.story;
  EXPECT_TRUE(mirrors_labels({}, {}));
  EXPECT_FALSE(mirrors_labels({}, support::label_set({{"a", "b"}})));
}

TEST(NewSlice, BelongsToItsService) {
  SliceWorld world;
  world.service.annotations = support::label_set({{"not", "mirrored"}});
  const auto slice = new_slice(world.service, kube::AddressType::IPv6, {});
  EXPECT_EQ(slice.meta.ns.view(), "shop");
  EXPECT_FALSE(slice.meta.name);
  EXPECT_EQ(slice.generate_name.view(), "web-");
  EXPECT_EQ(slice.address_type, kube::AddressType::IPv6);
  EXPECT_FALSE(slice.annotations);
  ASSERT_EQ(slice.owners.size(), 1U);
  EXPECT_EQ(slice.owners[0].api_version.view(), "v1");
  EXPECT_EQ(slice.owners[0].kind.view(), "Service");
  EXPECT_EQ(slice.owners[0].name.view(), "web");
  EXPECT_EQ(slice.owners[0].uid.view(), "web-uid");
  EXPECT_EQ(slice.owners[0].controller, true);
  EXPECT_EQ(slice.owners[0].block_owner_deletion, true);
  EXPECT_TRUE(is_owned_by(slice, world.service));
}

TEST(NewSlice, IsOwnedOnlyByTheServiceOfThatUid) {
  SliceWorld world;
  const auto owned_after = [&](auto change) {
    auto slice = new_slice(world.service, kube::AddressType::IPv4, {});
    change(slice);
    return is_owned_by(slice, world.service);
  };
  EXPECT_FALSE(owned_after([](auto& s) { s.owners[0].uid = Text("other"); }));
  EXPECT_FALSE(owned_after([](auto& s) { s.owners[0].kind = Text("Pod"); }));
  EXPECT_FALSE(owned_after([](auto& s) { s.owners[0].api_version = Text("v2"); }));
  EXPECT_FALSE(owned_after([](auto& s) { s.owners.clear(); }));
  EXPECT_TRUE(owned_after([](auto& s) { s.owners[0].name = Text("renamed"); }));
  EXPECT_TRUE(owned_after([](auto& s) {
    s.owners.insert(s.owners.begin(), {Text("x"), {}, {}, {}});
  }));
}

TEST(NewSlice, HasADashInItsNameWhereThatCanBeginOne) {
  EXPECT_EQ(generated_name_prefix("web"), "web-");
  EXPECT_EQ(generated_name_prefix("a"), "a-");
  EXPECT_EQ(generated_name_prefix("a.b"), "a.b-");
  EXPECT_EQ(generated_name_prefix(std::string(253, 'a')), std::string(253, 'a') + "-");
  EXPECT_EQ(generated_name_prefix(std::string(254, 'a')), std::string(254, 'a'));
  EXPECT_EQ(generated_name_prefix("We-b"), "We-b");
  EXPECT_EQ(generated_name_prefix("a..b"), "a..b");
}

}  // namespace
}  // namespace proxima::slices
