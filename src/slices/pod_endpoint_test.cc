// SPDX-License-Identifier: Apache-2.0
#include "slices/pod_endpoint.h"

#include <gtest/gtest.h>

#include <string>

#include "support/slice_world.h"

namespace proxima::slices {
namespace {

using kube::AddressType;
using support::SliceWorld;

// "10.0.0.1 10.0.0.2 ready serving terminating host:h node:n zone:z pod:ns/name/uid"
std::string text_of(const kube::EndpointRecord& endpoint) {
  std::string text;
  for (const Text& address : endpoint.addresses) text += std::string(address.view()) + " ";
  const auto condition = [&](model::Condition value, const char* name) {
    if (value == model::Condition::Unset) text += "?";
    if (value != model::Condition::False) text += name + std::string(" ");
  };
  condition(endpoint.ready, "ready");
  condition(endpoint.serving, "serving");
  condition(endpoint.terminating, "terminating");
  const auto field = [&](const Text& value, const char* name) {
    if (value) text += name + std::string(value.view()) + " ";
  };
  field(endpoint.hostname, "host:");
  field(endpoint.node, "node:");
  field(endpoint.zone, "zone:");
  if (!text.empty()) text.pop_back();
  return text;
}

struct PodState {
  bool ready = true;
  bool terminating = false;
  bool publish_not_ready = false;
};

TEST(PodEndpoint, IsReadyWhenThePodServesAndStays) {
  struct Row {
    PodState state;
    const char* conditions;
  };
  const Row rows[] = {
      {{.ready = true}, "ready serving"},
      {{.ready = false}, ""},
      {{.ready = true, .terminating = true}, "serving terminating"},
      {{.ready = false, .terminating = true}, "terminating"},
      {{.ready = true, .publish_not_ready = true}, "ready serving"},
      {{.ready = false, .publish_not_ready = true}, "ready"},
      {{.ready = true, .terminating = true, .publish_not_ready = true},
       "ready serving terminating"},
      {{.ready = false, .terminating = true, .publish_not_ready = true}, "ready terminating"},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    world.service.publish_not_ready = row.state.publish_not_ready;
    kube::PodRecord& pod = world.pod("p", "10.0.0.1", "");
    pod.ready = row.state.ready;
    pod.terminating = row.state.terminating;
    const EndpointMaker maker(world.service, AddressType::IPv4);
    std::string wanted = "10.0.0.1";
    if (*row.conditions != '\0') wanted += " " + std::string(row.conditions);
    EXPECT_EQ(text_of(maker.make({&pod, nullptr})), wanted);
  }
}

TEST(PodEndpoint, NamesThePodAndNothingThatChangesWithIt) {
  SliceWorld world;
  const kube::PodRecord& pod = world.pod("p", "10.0.0.1", "n1");
  const auto endpoint = EndpointMaker(world.service, AddressType::IPv4).make({&pod, nullptr});
  ASSERT_TRUE(endpoint.target);
  EXPECT_EQ(endpoint.target->kind.view(), "Pod");
  EXPECT_EQ(endpoint.target->ns.view(), "shop");
  EXPECT_EQ(endpoint.target->name.view(), "p");
  EXPECT_EQ(endpoint.target->uid.view(), "uid-of-p");
  EXPECT_FALSE(endpoint.target->api_version);
  EXPECT_FALSE(endpoint.target->resource_version);
}

TEST(PodEndpoint, HasTheAddressesOfItsFamilyInCanonicalForm) {
  struct Row {
    std::vector<const char*> addresses;
    AddressType family;
    const char* wanted;  // null: the Pod has none of this family
  };
  const Row rows[] = {
      {{"10.0.0.1"}, AddressType::IPv4, "10.0.0.1"},
      {{"010.000.0.01"}, AddressType::IPv4, "10.0.0.1"},
      {{"::ffff:10.0.0.1"}, AddressType::IPv4, "10.0.0.1"},
      {{"::ffff:10.0.0.1"}, AddressType::IPv6, nullptr},
      {{"10.0.0.1", "FD00:0:0::1"}, AddressType::IPv6, "fd00::1"},
      {{"fd00::1", "10.0.0.1"}, AddressType::IPv4, "10.0.0.1"},
      {{"10.0.0.1"}, AddressType::IPv6, nullptr},
      {{"10.0.0.9", "10.0.0.10"}, AddressType::IPv4, "10.0.0.10 10.0.0.9"},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    kube::PodRecord& pod = world.pod("p", "", "");
    pod.ready = false;
    for (const char* address : row.addresses) pod.addresses.add(*IpAddress::parse(address));
    const EndpointMaker maker(world.service, row.family);
    EXPECT_EQ(maker.has_address(pod), row.wanted != nullptr) << row.addresses.front();
    if (row.wanted != nullptr) {
      const auto endpoint = maker.make({&pod, nullptr});
      EXPECT_EQ(text_of(endpoint), row.wanted);
      EXPECT_TRUE(maker.is_of(endpoint, pod));
    }
  }
}

TEST(PodEndpoint, HasAHostnameOnlyBelowItsOwnService) {
  struct Row {
    const char* hostname;
    const char* subdomain;
    const char* ns;
    bool has_it;
  };
  const Row rows[] = {
      {"h", "web", "shop", true}, {"h", "other", "shop", false}, {"h", "", "shop", false},
      {"", "web", "shop", false}, {"h", "web", "depot", false},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    kube::PodRecord& pod = world.pod("p", "10.0.0.1", "");
    auto workload = make_ref<kube::PodWorkload>();
    workload->subdomain = Text(row.subdomain);
    pod.workload = workload;
    pod.hostname = Text(row.hostname);
    pod.ns = Text(row.ns);
    const auto endpoint = EndpointMaker(world.service, AddressType::IPv4).make({&pod, nullptr});
    EXPECT_EQ(endpoint.hostname.has_value(), row.has_it) << row.subdomain << " " << row.ns;
  }
}

TEST(PodEndpoint, OfAPodThatIsOverOrNowhereThereIsNone) {
  using model::PodPhase;
  struct Row {
    PodPhase phase;
    bool has_address;
    bool terminating;
    bool wanted;
  };
  const Row rows[] = {
      {PodPhase::Running, true, false, true},   {PodPhase::Running, true, true, true},
      {PodPhase::Pending, true, false, true},   {PodPhase::Unknown, true, false, true},
      {PodPhase::Failed, true, false, false},   {PodPhase::Succeeded, true, false, false},
      {PodPhase::Running, false, false, false}, {PodPhase::Failed, true, true, false},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    kube::PodRecord& pod = world.pod("p", row.has_address ? "10.0.0.1" : "", "n0");
    pod.phase = row.phase;
    pod.terminating = row.terminating;
    EXPECT_EQ(can_be_endpoint(pod), row.wanted);
  }
}

class PublishedEndpoint : public ::testing::Test {
 protected:
  PublishedEndpoint() : maker_(world_.service, AddressType::IPv4) {
    kube::PodRecord& pod = world_.pod("p", "10.0.0.1", "n0");
    source_ = {&pod, &zone_};
    endpoint_ = maker_.make(source_);
  }
  bool is_of() const { return maker_.is_of(endpoint_, *source_.pod); }
  bool is_current() const { return maker_.is_current(endpoint_, source_); }

  SliceWorld world_;
  Text zone_{"a"};
  EndpointMaker maker_;
  PodSource source_;
  kube::EndpointRecord endpoint_;
};

TEST_F(PublishedEndpoint, IsTheSamePodsAndUpToDate) {
  EXPECT_TRUE(is_of());
  EXPECT_TRUE(is_current());
}

TEST_F(PublishedEndpoint, IsAnotherPodsWhenItsIdentityDiffers) {
  const kube::EndpointRecord before = endpoint_;
  const auto differs = [&](const char* what, auto change) {
    endpoint_ = before;
    change();
    EXPECT_FALSE(is_of()) << what;
  };
  differs("address", [&] { endpoint_.addresses = {Text("10.0.0.2")}; });
  differs("address in another form", [&] { endpoint_.addresses = {Text("10.0.0.01")}; });
  differs("more addresses", [&] { endpoint_.addresses.push_back(Text("10.0.0.2")); });
  differs("no address", [&] { endpoint_.addresses.clear(); });
  differs("hostname", [&] { endpoint_.hostname = Text("h"); });
  differs("name", [&] { endpoint_.target->name = Text("q"); });
  differs("namespace", [&] { endpoint_.target->ns = Text("other"); });
  differs("no target", [&] { endpoint_.target.reset(); });
}

TEST_F(PublishedEndpoint, IsOutOfDateWhenAnythingElseDiffers) {
  const kube::EndpointRecord before = endpoint_;
  const auto differs = [&](const char* what, auto change) {
    endpoint_ = before;
    change();
    EXPECT_TRUE(is_of()) << what;
    EXPECT_FALSE(is_current()) << what;
  };
  using model::Condition;
  differs("ready", [&] { endpoint_.ready = Condition::False; });
  differs("ready not said", [&] { endpoint_.ready = Condition::Unset; });
  differs("serving", [&] { endpoint_.serving = Condition::False; });
  differs("terminating", [&] { endpoint_.terminating = Condition::True; });
  differs("terminating not said", [&] { endpoint_.terminating = Condition::Unset; });
  differs("node", [&] { endpoint_.node = Text("n1"); });
  differs("no node", [&] { endpoint_.node = Text(); });
  differs("zone", [&] { endpoint_.zone = Text("b"); });
  differs("empty zone", [&] { endpoint_.zone = Text(""); });
  differs("no zone", [&] { endpoint_.zone = Text(); });
  differs("uid", [&] { endpoint_.target->uid = Text("other"); });
  differs("kind", [&] { endpoint_.target->kind = Text("Node"); });
  differs("apiVersion", [&] { endpoint_.target->api_version = Text("v1"); });
  differs("fieldPath", [&] { endpoint_.target->field_path = Text("x"); });
}

TEST_F(PublishedEndpoint, HintsAndResourceVersionsAreNoReasonToWrite) {
  endpoint_.zone_hints = {Text("b")};
  endpoint_.node_hints = {Text("n1")};
  endpoint_.target->resource_version = Text("77");
  endpoint_.deprecated_topology = support::label_set({{"k", "v"}});
  EXPECT_TRUE(is_current());
}

}  // namespace
}  // namespace proxima::slices
