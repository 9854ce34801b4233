// SPDX-License-Identifier: Apache-2.0
// The planner for several workers. A decision takes microseconds, so they take turns. Safe for
// concurrent use.
#pragma once

#include <mutex>
#include <utility>

#include "slices/slice_planner.h"

namespace proxima::controller {

class LockedPlanner {
 public:
  explicit LockedPlanner(plan::PlanOptions options) : planner_(std::move(options)) {}

  // work(SlicePlanner&), alone.
  template <class Work>
  auto use(Work work) {
    const std::lock_guard guard(mutex_);
    return work(planner_);
  }

 private:
  std::mutex mutex_;
  slices::SlicePlanner planner_;
};

}  // namespace proxima::controller
