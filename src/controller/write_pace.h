// SPDX-License-Identifier: Apache-2.0
// When a Service may be written again: the first change is written at once, and those that follow
// within the spacing together at its end. A rollout then costs few writes, each of which every node
// of the cluster has to read, and a change that comes alone is not held up. Safe for concurrent
// use.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "kube/backoff.h"

namespace proxima::controller {

class WritePace {
 public:
  explicit WritePace(kube::Duration spacing) : spacing_(spacing) {}

  // Zero: it may be written now.
  kube::Duration wait_for(const std::string& service, Clock::SteadyTime now) const;
  void wrote(const std::string& service, Clock::SteadyTime now);

 private:
  void drop_old_locked(Clock::SteadyTime now);

  kube::Duration spacing_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Clock::SteadyTime> written_;  // and those long ago, for a while
  std::size_t entries_max_ = 1024;
};

}  // namespace proxima::controller
