// SPDX-License-Identifier: Apache-2.0
#include "agents/scenario_runner.h"

namespace proxima::agents {

std::optional<Clock::SteadyTime> ScenarioRunner::next() const {
  if (left() == 0) return std::nullopt;
  return begin_ + timeline_[taken_].at;
}

std::optional<LabAction> ScenarioRunner::take(Clock::SteadyTime now) {
  const auto due = next();
  if (!due || now < *due) return std::nullopt;
  return timeline_[taken_++].action;
}

}  // namespace proxima::agents
