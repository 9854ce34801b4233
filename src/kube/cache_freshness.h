// SPDX-License-Identifier: Apache-2.0
// Whether a cache follows its server at present. A cache that has synced once stays readable while
// the server cannot be reached, and is then older than what others have seen and written meanwhile.
// Safe for concurrent use.
#pragma once

#include <chrono>
#include <mutex>

#include "base/clock.h"

namespace proxima::kube {

class CacheFreshness {
 public:
  // A watch that was opened again tells at once what was missed, or that this is too long ago;
  // nothing marks the end of that. One that has lasted so long has caught up.
  static constexpr std::chrono::seconds kCatchUp{1};

  // The cache equals a list that was just read.
  void listed() {
    const std::lock_guard lock(mutex_);
    state_ = State::Following;
  }
  // A watch was opened, where the cache was left off.
  void watching(Clock::SteadyTime now) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Behind) return;
    state_ = State::CatchingUp;
    since_ = now;
  }
  // A list or a watch failed.
  void lost() {
    const std::lock_guard lock(mutex_);
    state_ = State::Behind;
  }
  bool is_current(Clock::SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    if (state_ == State::CatchingUp) return now - since_ >= kCatchUp;
    return state_ == State::Following;
  }

 private:
  enum class State { Behind, CatchingUp, Following };
  mutable std::mutex mutex_;
  State state_ = State::Behind;
  Clock::SteadyTime since_{};
};

}  // namespace proxima::kube
