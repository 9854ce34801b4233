// SPDX-License-Identifier: Apache-2.0
#include "controller/hint_events.h"

#include <algorithm>

namespace proxima::controller {
namespace {

constexpr std::string_view kEnabled = "TopologyAwareHintsEnabled";
constexpr std::string_view kDisabled = "TopologyAwareHintsDisabled";

const slices::FamilyDecision* find(const slices::ServiceDecision* decision,
                                   kube::AddressType family) {
  if (decision == nullptr) return nullptr;
  const auto& all = decision->families;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.family == family; });
  return found == all.end() ? nullptr : &*found;
}

bool says_the_same(const slices::FamilyDecision* before, const slices::HintNews& news) {
  return before != nullptr && before->news && before->news->reason == news.reason &&
         before->news->message == news.message;
}

HintEvent event(std::string_view reason, std::string_view message, kube::AddressType family) {
  return {reason == kEnabled ? kube::EventType::Normal : kube::EventType::Warning,
          std::string(reason),
          std::string(message) + ", addressType: " + std::string(kube::to_text(family))};
}

}  // namespace

std::vector<HintEvent> hint_events(const slices::ServiceDecision* before,
                                   const slices::ServiceDecision& now, Written written) {
  std::vector<HintEvent> events;
  for (const slices::FamilyDecision& family : now.families) {
    const slices::FamilyDecision* old = find(before, family.family);
    if (family.news) {
      const bool published_already =
          before == nullptr && written == Written::No && family.news->reason == kEnabled;
      if (!published_already && !says_the_same(old, *family.news))
        events.push_back(event(family.news->reason, family.news->message, family.family));
    } else if (old != nullptr && old->is_auto && old->hinted && !family.is_auto) {
      events.push_back(event(kDisabled, "Topology Aware Hints has been disabled", family.family));
    }
  }
  return events;
}

}  // namespace proxima::controller
