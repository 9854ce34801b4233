// SPDX-License-Identifier: Apache-2.0
#include "controller/hint_events.h"

#include <gtest/gtest.h>

namespace proxima::controller {
namespace {

using slices::FamilyDecision;
using slices::ServiceDecision;

FamilyDecision refused(const std::string& why, kube::AddressType family = kube::AddressType::IPv4) {
  FamilyDecision decision;
  decision.family = family;
  decision.is_auto = true;
  decision.news = {"TopologyAwareHintsDisabled", why};
  return decision;
}
FamilyDecision hinted(kube::AddressType family = kube::AddressType::IPv4) {
  FamilyDecision decision;
  decision.family = family;
  decision.is_auto = true;
  decision.hinted = true;
  decision.news = {"TopologyAwareHintsEnabled", "Topology Aware Hints has been enabled"};
  return decision;
}
ServiceDecision of(std::vector<FamilyDecision> families) {
  ServiceDecision decision;
  decision.families = std::move(families);
  return decision;
}

std::string told(const ServiceDecision* before, const ServiceDecision& now,
                 Written written = Written::Yes) {
  std::string text;
  for (const HintEvent& event : hint_events(before, now, written))
    text +=
        std::string(kube::to_text(event.type)) + " " + event.reason + ": " + event.message + "\n";
  return text;
}

TEST(HintEvents, TellOfAChangeOnce) {
  const auto on = of({hinted()});
  const auto off = of({refused("too few")});
  EXPECT_EQ(told(&off, on),
            "Normal TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: "
            "IPv4\n");
  EXPECT_EQ(told(&on, on), "");
  EXPECT_EQ(told(&on, off), "Warning TopologyAwareHintsDisabled: too few, addressType: IPv4\n");
  EXPECT_EQ(told(&off, off), "") << "upstream says it at every sync";
  EXPECT_EQ(told(&off, of({refused("no zone")})),
            "Warning TopologyAwareHintsDisabled: no zone, addressType: IPv4\n");
}

TEST(HintEvents, TellWhenTheAnnotationIsTakenAway) {
  const auto on = of({hinted()});
  const auto none = of({FamilyDecision()});
  EXPECT_EQ(told(&on, none),
            "Warning TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, "
            "addressType: IPv4\n");
  const auto off = of({refused("too few")});
  EXPECT_EQ(told(&off, none), "") << "nothing was there to lose";
}

TEST(HintEvents, FollowEachFamilyByItself) {
  const auto before = of({hinted(), refused("too few", kube::AddressType::IPv6)});
  const auto now = of({hinted(), hinted(kube::AddressType::IPv6)});
  EXPECT_EQ(told(&before, now),
            "Normal TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: "
            "IPv6\n");
}

TEST(HintEvents, AreSilentAboutHintsThatAnotherLeaderPublished) {
  EXPECT_EQ(told(nullptr, of({hinted()}), Written::No), "");
  EXPECT_NE(told(nullptr, of({hinted()}), Written::Yes), "");
  EXPECT_NE(told(nullptr, of({refused("too few")}), Written::No), "");
}

}  // namespace
}  // namespace proxima::controller
