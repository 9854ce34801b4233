// SPDX-License-Identifier: Apache-2.0
#include "core/plan/conditions.h"

#include <algorithm>
#include <cmath>

namespace proxima::plan {
namespace {

using model::Snapshot;
using policy::Note;
using policy::PolicyKind;
using policy::Reason;
using policy::Severity;

// "overload_too_high" → "OverloadTooHigh": conditions want CamelCase reasons.
std::string camel_case(std::string_view code) {
  std::string out;
  bool upper = true;
  for (char c : code) {
    if (c == '_') {
      upper = true;
      continue;
    }
    out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return out;
}

ServiceCondition condition(std::string_view type, ConditionStatus status, const Note& note) {
  return {type, status, condition_reason(note.reason), policy::sentence(note)};
}

ServiceCondition accepted(const ClusterPlan& plan, const ServicePlan& service) {
  constexpr std::string_view kType = "proxima.io/TrafficDistributionAccepted";
  if (const Note* why = not_accepted(plan, service))
    return condition(kType, ConditionStatus::False, *why);
  return condition(kType, ConditionStatus::True, plan.notes[service.policy_notes.begin]);
}

// Configuration was made that the data plane is expected to follow: hints, a split, or keys; or
// nothing was asked for and nothing is needed.
ServiceCondition programmed(const ClusterPlan& plan, const ServicePlan& service) {
  constexpr std::string_view kType = "proxima.io/TrafficDistributionProgrammed";
  const Note* refused = not_accepted(plan, service);
  if (refused != nullptr && service.policy == PolicyKind::ClusterWide)
    return condition(kType, ConditionStatus::False, *refused);
  const bool made = service.hinted || service.split >= 0 || service.keys.size > 0 ||
                    service.policy == PolicyKind::ClusterWide;
  const bool any = service.ready > 0;
  return condition(kType, made && any ? ConditionStatus::True : ConditionStatus::False,
                   service.why);
}

constexpr std::string_view kHonored = "proxima.io/TrafficDistributionHonored";

// Whole percents: what differs by less is not worth a new text.
double whole_percents(double share) { return std::round(share * 100) / 100; }

Reason lag_reason(PlanFollowing::Lag lag) {
  if (lag == PlanFollowing::Lag::CannotRead) return Reason::NodesCannotReadPlan;
  return lag == PlanFollowing::Lag::Behind ? Reason::NodesBehind : Reason::NodesNotReporting;
}

}  // namespace

const Note* not_accepted(const ClusterPlan& plan, const ServicePlan& service) {
  const auto notes = Snapshot::part(plan.notes, service.policy_notes);
  const auto refused = std::find_if(notes.begin(), notes.end(), [](const Note& note) {
    return policy::text_of(note.reason).severity == Severity::Refused;
  });
  if (refused != notes.end()) return &*refused;
  if (service.policy != PolicyKind::ClusterWide) return nullptr;
  const auto off = std::find_if(notes.begin(), notes.end(), [](const Note& note) {
    return note.reason == Reason::FeatureGateOff;
  });
  return off == notes.end() ? nullptr : &*off;
}

std::string condition_reason(policy::Reason reason) {
  return camel_case(policy::text_of(reason).code);
}

std::string_view to_text(ConditionStatus status) {
  constexpr std::string_view kNames[] = {"True", "False", "Unknown"};
  return kNames[static_cast<std::size_t>(status)];
}

ServiceCondition honored_condition(const PlanFollowing* following) {
  if (following == nullptr || following->reporting == 0)
    return condition(kHonored, ConditionStatus::Unknown, {.reason = Reason::NoNodeReports});
  if (following->lag != PlanFollowing::Lag::None) {
    const bool unknown = following->lag == PlanFollowing::Lag::Silent;
    return condition(kHonored, unknown ? ConditionStatus::Unknown : ConditionStatus::False,
                     {.reason = lag_reason(following->lag),
                      .subject = following->lagging_node,
                      .count = following->following,
                      .limit = static_cast<double>(following->nodes),
                      .seconds = following->lagging_for.count(),
                      .plan = following->plan});
  }
  if (following->connections == 0)
    return condition(kHonored, ConditionStatus::True, {.reason = Reason::PlanFollowed});
  return condition(kHonored, ConditionStatus::True,
                   {.reason = Reason::PlanFollowedMeasured,
                    .count = static_cast<std::int64_t>(following->connections),
                    .share = whole_percents(following->local_share),
                    .limit = whole_percents(following->planned_local_share)});
}

std::array<ServiceCondition, 3> service_conditions(const ClusterPlan& plan,
                                                   const ServicePlan& service) {
  return {accepted(plan, service), programmed(plan, service), honored_condition(nullptr)};
}

}  // namespace proxima::plan
