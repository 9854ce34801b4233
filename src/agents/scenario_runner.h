// SPDX-License-Identifier: Apache-2.0
// When which action of a timeline is due. Pure: it is told the time. Whoever runs it waits until
// next() and then takes what is due.
#pragma once

#include <optional>
#include <vector>

#include "agents/scenario.h"
#include "base/clock.h"

namespace proxima::agents {

class ScenarioRunner {
 public:
  // `timeline` is in the order of its times, which count from `begin`.
  ScenarioRunner(std::vector<TimedAction> timeline, Clock::SteadyTime begin)
      : timeline_(std::move(timeline)), begin_(begin) {}

  // When the next action is due; nullopt: there is none any more.
  std::optional<Clock::SteadyTime> next() const;
  // The next action, if it is due `now`. Each is given once.
  std::optional<LabAction> take(Clock::SteadyTime now);
  std::size_t left() const { return timeline_.size() - taken_; }

 private:
  std::vector<TimedAction> timeline_;
  Clock::SteadyTime begin_;
  std::size_t taken_ = 0;
};

}  // namespace proxima::agents
