// SPDX-License-Identifier: Apache-2.0
#include "slices/decision_news.h"

#include <algorithm>

#include "slices/framed_service.h"

namespace proxima::slices {
namespace {

using kube::EventType;
using policy::PolicyKind;
using policy::Reason;
using policy::Severity;

constexpr std::string_view kEnabled = "TopologyAwareHintsEnabled";
constexpr std::string_view kDisabled = "TopologyAwareHintsDisabled";

template <class T>
const T* of_family(std::span<const T> all, kube::AddressType family) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& one) { return one.family == family; });
  return found == all.end() ? nullptr : &*found;
}

std::string with_family(std::string_view message, kube::AddressType family) {
  return std::string(message) + ", addressType: " + std::string(kube::to_text(family));
}

// Nothing can be said about a policy while there is nobody to send traffic to.
bool says_something(const FamilyDecision& family) {
  return family.reason != Reason::NoneReady && family.reason != Reason::NoEndpointSlices &&
         family.reason != Reason::ExternalName;
}

bool is_as_asked(const FamilyDecision& family) {
  const Severity severity = policy::text_of(family.reason).severity;
  return severity == Severity::Good || severity == Severity::Info;
}

// Those that upstream does not have, and that users may not know yet.
bool is_ours(PolicyKind policy) {
  return policy == PolicyKind::Balanced || policy == PolicyKind::ZoneAware ||
         policy == PolicyKind::TopologyKeys || policy == PolicyKind::RequireZone;
}

class News {
 public:
  News(const ServiceDecision* before, const ServiceDecision& now,
       std::span<const PublishedFamily> published)
      : before_(before), now_(now), published_(published) {}

  std::vector<DecisionEvent> tell() {
    tell_refusal();
    for (const FamilyDecision& family : now_.families) tell_family(family);
    return std::move(events_);
  }

 private:
  // A restart is no news: what is there was told by whoever wrote it.
  bool is_first_of_all() const {
    return before_ == nullptr &&
           std::none_of(published_.begin(), published_.end(), [](auto& one) { return one.exists; });
  }

  // The controller was started again without a feature that was in use.
  bool ends_hints() const {
    const bool was = std::any_of(published_.begin(), published_.end(),
                                 [](const PublishedFamily& one) { return one.hinted; });
    return was && std::none_of(now_.families.begin(), now_.families.end(),
                               [](const FamilyDecision& one) { return one.hinted; });
  }

  void tell_refusal() {
    if (now_.not_accepted.empty() || now_.conditions.empty()) return;
    const plan::ServiceCondition& refused = now_.conditions.front();
    const bool told = before_ != nullptr
                          ? !before_->not_accepted.empty() && !before_->conditions.empty() &&
                                before_->conditions.front().message == refused.message
                          : !is_first_of_all() && !ends_hints();
    if (!told) events_.push_back({EventType::Warning, refused.reason, refused.message});
  }

  void tell_family(const FamilyDecision& now) {
    const FamilyDecision* before =
        before_ == nullptr
            ? nullptr
            : of_family(std::span<const FamilyDecision>(before_->families), now.family);
    if (now.is_auto && now.news) {
      if (is_hint_news(before, now)) tell_hints(now.news->reason, now.news->message, now.family);
      return;
    }
    if (before != nullptr && before->is_auto && before->hinted) {
      tell_hints(kDisabled, "Topology Aware Hints has been disabled", now.family);
    }
    const bool own = is_own_news(before, now);
    if (own) tell_reason(now);
    if (now.policy != PolicyKind::RequireZone || (before == nullptr && before_ != nullptr)) return;
    const auto failing = failing_before(before, now.family);
    for (const FailingZone& zone : now.failing) {
      const auto was = find_zone(failing, zone.zone);
      const bool changed = was == failing.end() || was->spent != zone.spent;
      if (changed && !zone.sentence.empty() && !(own && zone.sentence == now.sentence))
        tell(EventType::Warning, zone.spent ? Reason::ZoneFailoverSpent : Reason::ZoneFailsOver,
             zone.sentence, now.family);
    }
    for (const FailingZone& zone : failing)
      if (find_zone(now.failing, zone.zone) == now.failing.end()) tell_recovery(zone.zone, now);
  }

  static std::vector<FailingZone>::const_iterator find_zone(const std::vector<FailingZone>& zones,
                                                            const std::string& name) {
    return std::find_if(zones.begin(), zones.end(),
                        [&](const FailingZone& one) { return one.zone == name; });
  }

  // After a restart the slices tell.
  std::vector<FailingZone> failing_before(const FamilyDecision* before,
                                          kube::AddressType family) const {
    if (before != nullptr) return before->failing;
    std::vector<FailingZone> failing;
    if (const PublishedFamily* published = of_family(published_, family)) {
      for (const route::FailingZone& zone : published->failing)
        failing.push_back({.zone = zone.zone, .spent = zone.spent, .sentence = {}});
    }
    return failing;
  }

  // A zone may also stop to fail over because the Service does not allow it any more.
  void tell_recovery(const std::string& name, const FamilyDecision& now) {
    const auto zone = std::find_if(now.zones.begin(), now.zones.end(),
                                   [&](const ZoneFigures& one) { return one.zone == name; });
    if (zone == now.zones.end() || zone->endpoints == 0) return;
    tell(EventType::Normal, Reason::ZoneFailoverEnded,
         policy::sentence({.reason = Reason::ZoneFailoverEnded,
                           .subject = name,
                           .count = zone->endpoints,
                           .share = now.cross_share,
                           .cost = now.cost}),
         now.family);
  }

  bool is_hint_news(const FamilyDecision* before, const FamilyDecision& now) const {
    if (before != nullptr && before->is_auto) {
      return before->hinted != now.hinted || (!now.hinted && before->reason != now.reason);
    }
    if (before != nullptr || before_ != nullptr) return true;
    const PublishedFamily* published = of_family(published_, now.family);
    const bool exists = published != nullptr && published->exists;
    return !exists || published->hinted != now.hinted;
  }

  // Good things that come and go with single Pods are no news; that a policy works, or does not
  // any more, is.
  bool is_own_news(const FamilyDecision* before, const FamilyDecision& now) const {
    if (!says_something(now)) return false;
    if (before == nullptr) return is_first_of_all() && (is_ours(now.policy) || !is_as_asked(now));
    if (!says_something(*before)) return !is_as_asked(now);
    const bool by_zone = now.policy == PolicyKind::RequireZone && before->policy == now.policy;
    if (by_zone) return is_news_of_rejection(*before, now);
    if (before->policy == now.policy) return is_as_asked(*before) != is_as_asked(now);
    return is_ours(now.policy) || is_ours(before->policy) || !is_as_asked(now);
  }

  // Each zone that fails over has an Event of its own.
  static bool is_news_of_rejection(const FamilyDecision& before, const FamilyDecision& now) {
    const bool was = policy::text_of(before.reason).severity == Severity::Broken;
    const bool is = policy::text_of(now.reason).severity == Severity::Broken;
    return was != is && (is || (is_as_asked(now) && before.failing.empty()));
  }

  void tell_hints(std::string_view reason, std::string_view message, kube::AddressType family) {
    events_.push_back({reason == kEnabled ? EventType::Normal : EventType::Warning,
                       std::string(reason), with_family(message, family)});
  }

  void tell_reason(const FamilyDecision& now) {
    tell(is_as_asked(now) ? EventType::Normal : EventType::Warning, now.reason, now.sentence,
         now.family);
  }

  void tell(EventType type, Reason reason, std::string_view sentence, kube::AddressType family) {
    events_.push_back({type, plan::condition_reason(reason), with_family(sentence, family)});
  }

  const ServiceDecision* before_;
  const ServiceDecision& now_;
  std::span<const PublishedFamily> published_;
  std::vector<DecisionEvent> events_;
};

}  // namespace

PublishedFamily published_of(const FamilyDraft& draft) {
  const bool updated = std::any_of(draft.updates.begin(), draft.updates.end(),
                                   [](const SliceDraft& slice) { return bool(slice.before); });
  return {.family = draft.family,
          .exists = updated || !draft.unchanged.empty() || !draft.deletes.empty(),
          .hinted = is_hinted(draft),
          .failing = failing_zones(draft)};
}

std::vector<DecisionEvent> decision_news(const ServiceDecision* before, const ServiceDecision& now,
                                         std::span<const PublishedFamily> published) {
  return News(before, now, published).tell();
}

}  // namespace proxima::slices
