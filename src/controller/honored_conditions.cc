// SPDX-License-Identifier: Apache-2.0
#include "controller/honored_conditions.h"

#include <algorithm>
#include <cmath>

namespace proxima::controller {
namespace {

using Lag = plan::PlanFollowing::Lag;

const kube::ConditionRecord* present_condition(const kube::ServiceRecord& service,
                                               std::string_view type) {
  const auto found =
      std::find_if(service.conditions.begin(), service.conditions.end(),
                   [&](const kube::ConditionRecord& one) { return one.type.view() == type; });
  return found == service.conditions.end() ? nullptr : &*found;
}

plan::ConditionStatus status_named(std::string_view text) {
  if (text == plan::to_text(plan::ConditionStatus::True)) return plan::ConditionStatus::True;
  if (text == plan::to_text(plan::ConditionStatus::False)) return plan::ConditionStatus::False;
  return plan::ConditionStatus::Unknown;
}

}  // namespace

HonoredConditions::Content HonoredConditions::content_of(const plan::PlanFollowing& following) {
  return {.lag = following.lag,
          .reports = following.reporting > 0,
          .node = following.lagging_node,
          .following = following.following,
          .measured = following.connections > 0,
          .share = following.local_share};
}

bool HonoredConditions::differs(const Content& written, const Content& wanted) {
  if (written.reports != wanted.reports) return true;
  if (written.lag != wanted.lag || written.node != wanted.node) return true;
  // With every node that joins or leaves, the counts beside a silent one change for all Services.
  if (wanted.lag == Lag::Behind || wanted.lag == Lag::CannotRead)
    return written.following != wanted.following;
  if (wanted.lag != Lag::None || !wanted.measured) return false;
  return !written.measured || std::abs(written.share - wanted.share) > kHonoredShareStep;
}

bool HonoredConditions::is_worth_a_write(const std::string& service,
                                         const kube::ConditionRecord& present,
                                         const Proposal& wanted, Time now) {
  const bool same_status = present.status.view() == plan::to_text(wanted.condition.status);
  const bool same_verdict = same_status && present.reason.view() == wanted.condition.reason;
  const std::lock_guard lock(mutex_);
  const auto written = written_.find(service);
  if (written == written_.end()) {
    // Of what an earlier leader wrote, the verdict is all that is known; it counts as written now.
    if (same_verdict) written_.emplace(service, Written{now, wanted.content});
    return !same_verdict;
  }
  if (now - written->second.at < kHonoredSpacing) return false;
  // Another leader, or somebody else, may have written in between.
  return !same_status || differs(written->second.content, wanted.content);
}

HonoredConditions::Proposal HonoredConditions::propose(const std::string& service,
                                                       const kube::ServiceRecord& record,
                                                       double planned_local_share, Time now) {
  auto following = book_.following(service, now);
  if (following) following->planned_local_share = planned_local_share;
  Proposal wanted{.condition = plan::honored_condition(following ? &*following : nullptr),
                  .is_news = true,
                  .content = following ? content_of(*following) : Content()};
  const kube::ConditionRecord* present = present_condition(record, wanted.condition.type);
  if (present == nullptr) return wanted;
  if (following && is_worth_a_write(service, *present, wanted, now)) return wanted;
  return {.condition = {wanted.condition.type, status_named(present->status.view()),
                        std::string(present->reason.view()), std::string(present->message.view())},
          .is_news = false,
          .content = {}};
}

void HonoredConditions::wrote(const std::string& service, const Proposal& proposal, Time now) {
  const std::lock_guard lock(mutex_);
  if (proposal.is_news) written_.insert_or_assign(service, Written{now, proposal.content});
}

void HonoredConditions::forget(const std::string& service) {
  const std::lock_guard lock(mutex_);
  written_.erase(service);
}

void HonoredConditions::clear() {
  const std::lock_guard lock(mutex_);
  written_.clear();
}

}  // namespace proxima::controller
