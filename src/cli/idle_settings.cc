// SPDX-License-Identifier: Apache-2.0
#include "cli/idle_settings.h"

#include <algorithm>
#include <map>

namespace proxima::cli {
namespace {

bool has_no_effect(const plan::Outcome& outcome) {
  return policy::text_of(outcome.why.reason).severity >= policy::Severity::Fallback;
}

std::map<policy::Reason, IdleSettings> group_by_reason(const plan::Comparison& comparison,
                                                       std::size_t as_configured) {
  std::map<policy::Reason, IdleSettings> groups;
  for (std::size_t i = 0; i < comparison.services.size(); ++i) {
    const plan::Outcome& outcome = comparison.services[i].outcomes[as_configured];
    if (!has_no_effect(outcome)) continue;
    IdleSettings& group = groups[outcome.why.reason];
    group.reason = outcome.why.reason;
    group.services.push_back(i);
    group.gigabytes += outcome.gigabytes;
  }
  return groups;
}

}  // namespace

std::vector<IdleSettings> idle_settings(const plan::Comparison& comparison,
                                        std::size_t as_configured) {
  const auto traffic = [&](std::size_t i) {
    return comparison.services[i].outcomes[as_configured].gigabytes;
  };
  std::vector<IdleSettings> result;
  for (auto& [reason, group] : group_by_reason(comparison, as_configured)) {
    std::ranges::stable_sort(group.services, std::ranges::greater(), traffic);
    result.push_back(std::move(group));
  }
  std::ranges::stable_sort(result, std::ranges::greater(),
                           [](const IdleSettings& group) { return group.services.size(); });
  return result;
}

}  // namespace proxima::cli
