// SPDX-License-Identifier: Apache-2.0
#include "core/plan/decisions.h"

#include <algorithm>

namespace proxima::plan {

std::vector<policy::Note> decisions_of(const ClusterPlan& plan, const ServicePlan& service) {
  std::vector<policy::Note> out{service.why};
  const auto notes = model::Snapshot::part(plan.notes, service.planner_notes);
  out.insert(out.end(), notes.begin(), notes.end());
  std::stable_partition(out.begin(), out.end(), [](const policy::Note& note) {
    return note.reason == policy::Reason::HintsLentToOtherZones;
  });
  return out;
}

std::vector<policy::Note> policy_chain_of(const ClusterPlan& plan, const ServicePlan& service) {
  const auto notes = model::Snapshot::part(plan.notes, service.policy_notes);
  std::vector<policy::Note> out(notes.begin(), notes.end());
  if (out.front().reason == policy::Reason::NothingElseSaid)
    std::rotate(out.begin(), out.begin() + 1, out.end());
  return out;
}

}  // namespace proxima::plan
