// SPDX-License-Identifier: Apache-2.0
#include "controller/condition_patch.h"

#include <algorithm>
#include <boost/json.hpp>

namespace proxima::controller {
namespace {

namespace json = boost::json;
using plan::ServiceCondition;

const kube::ConditionRecord* find(const kube::ServiceRecord& service, std::string_view type) {
  const auto& all = service.conditions;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& one) { return one.type.view() == type; });
  return found == all.end() ? nullptr : &*found;
}

bool says(const kube::ConditionRecord& present, const ServiceCondition& wanted) {
  return present.status.view() == plan::to_text(wanted.status) &&
         present.reason.view() == wanted.reason && present.message.view() == wanted.message;
}

// The transition is the status' alone: where that stays, the old time must stay too, and does when
// the patch does not mention it.
json::object rendered(const ServiceCondition& wanted, const kube::ConditionRecord* present,
                      WallTime now) {
  json::object condition{{"type", wanted.type},
                         {"status", plan::to_text(wanted.status)},
                         {"reason", wanted.reason},
                         {"message", wanted.message}};
  if (present == nullptr || present->status.view() != plan::to_text(wanted.status))
    condition["lastTransitionTime"] = time_text(now);
  return condition;
}

bool is_said(std::span<const ServiceCondition> wanted, std::string_view type) {
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const ServiceCondition& one) { return one.type == type; });
}

}  // namespace

std::optional<std::string> condition_patch(const kube::ServiceRecord& service,
                                           std::span<const ServiceCondition> wanted, WallTime now) {
  json::array changes;
  for (const ServiceCondition& condition : wanted) {
    const kube::ConditionRecord* present = find(service, condition.type);
    if (present != nullptr && says(*present, condition)) continue;
    changes.push_back(rendered(condition, present, now));
  }
  for (const kube::ConditionRecord& present : service.conditions) {
    if (!is_said(wanted, present.type.view()))
      changes.push_back(json::object{{"$patch", "delete"}, {"type", present.type.view()}});
  }
  if (changes.empty()) return std::nullopt;
  return json::serialize(json::object{{"status", json::object{{"conditions", changes}}}});
}

}  // namespace proxima::controller
