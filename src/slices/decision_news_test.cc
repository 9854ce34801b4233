// SPDX-License-Identifier: Apache-2.0
#include "slices/decision_news.h"

#include <gtest/gtest.h>

#include "support/planner_world.h"

namespace proxima::slices {
namespace {

using test::PlannerWorld;

// What one sync after the other decides and tells, with what it wrote published in between.
class Story {
 public:
  explicit Story(const char* nodes) : world(nodes) {}

  // Endpoints are all ready and in one slice a family; "" for IPv6 means that there is none.
  std::string sync(const char* service, const char* v4, const char* v6 = "") {
    std::vector<FamilyDraft> drafts{draft(v4, kube::AddressType::IPv4)};
    if (*v6 != 0) drafts.push_back(draft(v6, kube::AddressType::IPv6));
    std::vector<PublishedFamily> published;
    const ServiceDecision now = world.decide(service, drafts);
    for (const FamilyDraft& one : drafts) published.push_back(published_of(one));
    const auto events = decision_news(before_ ? &*before_ : nullptr, now, published);
    before_ = now;
    for (FamilyDraft& one : drafts) publish(one);
    std::string out;
    for (const DecisionEvent& event : events) {
      out += (out.empty() ? "" : " | ") + std::string(to_text(event.type)) + " " + event.reason +
             ": " + event.message;
    }
    return out;
  }
  void restart() { before_.reset(); }

  PlannerWorld world;

 private:
  FamilyDraft draft(const char* endpoints, kube::AddressType family) {
    SliceRef& there = slices_[family];
    FamilyDraft draft;
    draft.family = family;
    auto slice = world.slice("slice", endpoints);
    if (!there) {
      draft.creates.push_back({slice, {}});
    } else if (shown_[family] == endpoints) {
      draft.unchanged.push_back(there);
    } else {
      draft.updates.push_back({slice, there});
    }
    shown_[family] = endpoints;
    return draft;
  }

  void publish(const FamilyDraft& draft) {
    SliceRef& there = slices_[draft.family];
    for (const SliceDraft& one : draft.creates) {
      there = make_ref<kube::EndpointSliceRecord>(one.value);
    }
    for (const SliceDraft& one : draft.updates) {
      there = make_ref<kube::EndpointSliceRecord>(one.value);
    }
  }

  std::optional<ServiceDecision> before_;
  std::map<kube::AddressType, SliceRef> slices_;
  std::map<kube::AddressType, std::string> shown_;
};

constexpr const char* kNodes = "n1 a 4;n2 b 4;n3 c 4;n4 a 4 !ready;n5 b 4 !ready;n9 - 4 !ready";
constexpr const char* kOn =
    "Normal TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4";
constexpr const char* kFew =
    "Warning TopologyAwareHintsDisabled: Insufficient number of endpoints (2 endpoints, 3 zones), "
    "addressType: IPv4";
constexpr const char* kMuch =
    "Warning TopologyAwareHintsDisabled: Unable to allocate minimum required endpoints to each "
    "zone without exceeding overload threshold (4 endpoints, 3 zones), addressType: IPv4";
constexpr const char* kOff =
    "Warning TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4";

TEST(DecisionNews, AreUpstreamsForHintsByCpuAndOnlyOnChanges) {
  Story story(kNodes);
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3"), kOn);
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3"), "") << "nothing happened";
  EXPECT_EQ(story.sync("Auto", "n1 n2"), kFew);
  EXPECT_EQ(story.sync("Auto", "n1 n2"), "") << "not once a sync";
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3 n4"), kMuch) << "another reason";
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3"), kOn);
  EXPECT_EQ(story.sync("", "n1 n2 n3"), kOff);
  EXPECT_EQ(story.sync("", "n1 n2 n3"), "");
  EXPECT_EQ(story.sync("PreferClose", "n1 n2 n3"), "") << "upstream tells nothing about the field";
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3"), kOn);
}

TEST(DecisionNews, DoNotRepeatWhatIsPublishedAfterARestart) {
  for (const char* endpoints : {"n1 n2 n3", "n1 n2", "n1 n2 n3 n4"}) {
    Story story(kNodes);
    EXPECT_NE(story.sync("Auto", endpoints), "");
    story.restart();
    EXPECT_EQ(story.sync("Auto", endpoints), "") << endpoints;
  }
  Story story(kNodes);
  story.sync("Auto", "n1 n2 n3");
  story.restart();
  EXPECT_EQ(story.sync("Auto", "n1 n2"), kFew) << "changed while nobody led";
  story.restart();
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3"), kOn);
}

TEST(DecisionNews, AreToldOfEachFamilyWithoutFlapping) {
  Story story(kNodes);
  const std::string both = std::string(kOn) +
                           " | Warning TopologyAwareHintsDisabled: Insufficient number of "
                           "endpoints (2 endpoints, 3 zones), addressType: IPv6";
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3", "n1 n2"), both);
  EXPECT_EQ(story.sync("Auto", "n1 n2 n3", "n1 n2"), "");
  EXPECT_EQ(story.sync("", "n1 n2 n3", "n1 n2"), kOff) << "IPv6 had none to lose";
}

TEST(DecisionNews, CarryOurReasonForOurPolicies) {
  Story story(kNodes);
  EXPECT_EQ(story.sync("balanced", "n1 n2 n3"),
            "Normal BalancedAllLocal: all traffic stays in its zone, within an overload bound of "
            "20%, addressType: IPv4");
  EXPECT_EQ(story.sync("balanced", "n1 n2 n3 n4"), "") << "Pods come and go";
  EXPECT_EQ(story.sync("balanced", "n1! n2! n3!"), "");
  EXPECT_EQ(story.sync("balanced", "n1 n2 n3"), "");
  EXPECT_EQ(story.sync("zone-aware", "n1 n2 n3"),
            "Warning ZoneAwareClusterTooSmall: 3 ready endpoints are fewer than the minimum of 6 "
            "(lb_zone_cluster_too_small), addressType: IPv4");
  EXPECT_EQ(story.sync("PreferClose", "n1 n2 n3"),
            "Normal SameZone: endpoints in the node's own zone are used, addressType: IPv4");
  EXPECT_EQ(story.sync("PreferClose", "n1 n2 n9"),
            "Warning EndpointZoneUnknown: 1 ready endpoints have no zone, so no node can keep this "
            "Service's traffic in its zone, addressType: IPv4");
  EXPECT_EQ(story.sync("PreferClose", "n1 n2 n9"), "");
  EXPECT_EQ(story.sync("PreferClose", "n1 n2 n3"),
            "Normal SameZone: endpoints in the node's own zone are used, addressType: IPv4");
  EXPECT_EQ(story.sync("PreferClose", "n1 n2"),
            "Warning SameZoneNotEverywhere: endpoints in the node's own zone are used, but 1 of 3 "
            "zones have none, such as c: traffic from there goes to all zones, addressType: IPv4");
}

TEST(DecisionNews, NameASettingThatIsRefusedOnce) {
  Story story(kNodes);
  EXPECT_EQ(story.sync("moon", "n1 n2"),
            "Warning UnknownPolicy: \"moon\" is no policy; the next source is asked");
  EXPECT_EQ(story.sync("moon", "n1"), "");
  EXPECT_EQ(story.sync("mars", "n1"),
            "Warning UnknownPolicy: \"mars\" is no policy; the next source is asked");
  story.restart();
  EXPECT_EQ(story.sync("mars", "n1"), "");
  EXPECT_EQ(story.sync("", "n1"), "");
}

}  // namespace
}  // namespace proxima::slices
