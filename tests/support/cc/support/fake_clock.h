// SPDX-License-Identifier: Apache-2.0
// A clock that a test holds in its hand: waiting takes no time, it moves the clock. A wait without
// a deadline is a real one, unless the test has given it something to do meanwhile. Safe for
// concurrent use; with several threads that wait, the one with the latest deadline wins.
#pragma once

#include <functional>
#include <vector>

#include "base/clock.h"

namespace proxima::testing {

class FakeClock final : public Clock {
 public:
  SteadyTime steady_now() const override {
    const std::lock_guard guard(mutex_);
    return SteadyTime(elapsed_);
  }
  WallTime wall_now() const override {
    const std::lock_guard guard(mutex_);
    return WallTime(std::chrono::seconds(1'772'323'200)) + elapsed_;  // 2026-03-01T00:00:00Z
  }
  void wait_until(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                  SteadyTime deadline) override {
    std::function<void()> during;
    {
      const std::lock_guard guard(mutex_);
      during = during_wait_;
    }
    if (deadline == SteadyTime::max() && !during) return wake.threads().wait(lock);
    {
      const std::lock_guard guard(mutex_);
      const auto wait = deadline.time_since_epoch() - elapsed_;
      if (wait > std::chrono::nanoseconds(0)) {
        waits_.push_back(wait);
        elapsed_ += wait;
      }
    }
    if (!during) return;
    lock.unlock();
    during();
    lock.lock();
  }

  void advance(std::chrono::nanoseconds duration) {
    const std::lock_guard guard(mutex_);
    elapsed_ += duration;
  }
  // Called in every wait, without the waiter's lock.
  void during_wait(std::function<void()> action) {
    const std::lock_guard guard(mutex_);
    during_wait_ = std::move(action);
  }
  // How long the waits were, in their order.
  std::vector<std::chrono::nanoseconds> waits() const {
    const std::lock_guard guard(mutex_);
    return waits_;
  }

 private:
  mutable std::mutex mutex_;
  std::chrono::nanoseconds elapsed_{std::chrono::hours(1)};
  std::vector<std::chrono::nanoseconds> waits_;
  std::function<void()> during_wait_;
};

}  // namespace proxima::testing
