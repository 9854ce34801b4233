// SPDX-License-Identifier: Apache-2.0
#include "core/plan/conditions.h"

#include <algorithm>

namespace proxima::plan {
namespace {

using model::Snapshot;
using policy::Note;
using policy::PolicyKind;
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

ServiceCondition honored(DataPlaneReport report) {
  constexpr std::string_view kType = "proxima.io/TrafficDistributionHonored";
  switch (report) {
    case DataPlaneReport::AllApplied:
      return {kType, ConditionStatus::True, "AllApplied", "every node proxy follows the plan"};
    case DataPlaneReport::SomeBehind:
      return {kType, ConditionStatus::False, "SomeBehind",
              "some node proxies have not taken up the plan yet"};
    case DataPlaneReport::None:
      break;
  }
  return {kType, ConditionStatus::Unknown, "NoReport", "no node proxy has reported"};
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
    return note.reason == policy::Reason::FeatureGateOff;
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

std::array<ServiceCondition, 3> service_conditions(const ClusterPlan& plan,
                                                   const ServicePlan& service,
                                                   DataPlaneReport report) {
  return {accepted(plan, service), programmed(plan, service), honored(report)};
}

}  // namespace proxima::plan
