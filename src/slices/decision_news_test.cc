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

TEST(DecisionNews, TellWhenAZoneFailsOverAndWhatThatCosts) {
  Story story(kNodes);
  const char* service = "require-zone failover=min-endpoints=1,for=10m";
  const WallTime noon = *parse_time("2026-03-01T12:00:00Z");
  const auto at = [&](int minutes) { story.world.time = noon + std::chrono::minutes(minutes); };
  const char* fails_over =
      "Warning ZoneFailsOver: zone c has 0 ready endpoints and needs 1, so its traffic uses other "
      "zones, too, its region first: 33.3% of the Service's traffic crosses zones, which costs "
      "0.333 per unit of traffic, addressType: IPv4";
  at(0);
  EXPECT_EQ(story.sync(service, "n1 n2 n3"),
            "Normal RequiredZoneKept: traffic stays in its zone, and every zone has the endpoints "
            "that it needs, addressType: IPv4");
  EXPECT_EQ(story.sync(service, "n1 n2 n3!"), fails_over);
  at(5);
  EXPECT_EQ(story.sync(service, "n1 n2! n3!"),
            "Warning ZoneFailsOver: zone b has 0 ready endpoints and needs 1, so its traffic uses "
            "other zones, too, its region first: 66.7% of the Service's traffic crosses zones, "
            "which costs 0.667 per unit of traffic, addressType: IPv4")
      << "the other was told";
  EXPECT_EQ(story.sync(service, "n1 n2 n3!"),
            "Normal ZoneFailoverEnded: zone b has 1 ready endpoints again and keeps its traffic: "
            "33.3% of the Service's traffic crosses zones, which costs 0.333 per unit of traffic, "
            "addressType: IPv4");
  story.restart();
  EXPECT_EQ(story.sync(service, "n1 n2 n3!"), "") << "the slices say it";
  at(10);
  const std::string over = story.sync(service, "n1 n2 n3!");
  EXPECT_EQ(over,
            "Warning RequiredZoneRejects: zone c has no ready endpoint and traffic must not leave "
            "it, so it is rejected, addressType: IPv4 | Warning ZoneFailoverSpent: zone c has 0 "
            "ready endpoints, needs 1, and has used other zones for as long as "
            "proxima.io/failover allows, so its traffic does not leave it any more: 0% of the "
            "Service's traffic crosses zones, which costs 0 per unit of traffic, addressType: "
            "IPv4");
  story.restart();
  EXPECT_EQ(story.sync(service, "n1 n2 n3!"), "") << "nor is that told twice";
  EXPECT_EQ(story.sync(service, "n1! n2! n3!"), "") << "nobody is ready";
  EXPECT_EQ(story.sync(service, "n1 n2 n3!"),
            "Warning RequiredZoneRejects: zone c has no ready endpoint and traffic must not leave "
            "it, so it is rejected, addressType: IPv4")
      << "the budget is not renewed by that";
  EXPECT_EQ(story.sync(service, "n1 n2 n3"),
            "Normal ZoneFailoverEnded: zone c has 1 ready endpoints again and keeps its traffic: "
            "0% of the Service's traffic crosses zones, which costs 0 per unit of traffic, "
            "addressType: IPv4");
  EXPECT_EQ(story.sync(service, "n1 n2 n3!"), fails_over) << "with a new budget";
}

TEST(DecisionNews, TellWhenARequiredZoneRejects) {
  Story story(kNodes);
  const char* rejects =
      "Warning RequiredZoneRejects: zone c has no ready endpoint and traffic must not leave it, so "
      "it is rejected, addressType: IPv4";
  EXPECT_NE(story.sync("require-zone", "n1 n2 n3"), "");
  EXPECT_EQ(story.sync("require-zone", "n1 n2 n3!"), rejects);
  EXPECT_EQ(story.sync("require-zone", "n1 n2 n3!"), "");
  EXPECT_EQ(story.sync("require-zone", "n1 n2 n3"),
            "Normal RequiredZoneKept: traffic stays in its zone, and every zone has the endpoints "
            "that it needs, addressType: IPv4");
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
