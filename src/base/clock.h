// SPDX-License-Identifier: Apache-2.0
// The port to time and to the threads that spend it: whoever waits, asks for the time or works
// beside its caller has one of these, so that tests can put a clock of their own in its place, and
// a simulation its own threads. Safe for concurrent use.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "base/condition_variable.h"
#include "base/thread.h"

namespace proxima {

class Clock {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;
  using WallTime = std::chrono::system_clock::time_point;

  virtual ~Clock() = default;
  // For durations: never goes back, means nothing outside this process.
  virtual SteadyTime steady_now() const = 0;
  // For what others read: may jump.
  virtual WallTime wall_now() const = 0;
  // Waits on `wake`, with `lock` held as a condition variable wants it, until it is notified or
  // `deadline` has come; SteadyTime::max() never comes. May return early for no reason: the caller
  // looks at its own condition.
  virtual void wait_until(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                          SteadyTime deadline) = 0;
  // Waits until done(), for which `wake` is notified.
  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, ConditionVariable& wake, Done done) {
    while (!done()) wait_until(lock, wake, SteadyTime::max());
  }
  // Waits until done(), for which `wake` is notified, or until `limit` has passed in the time of
  // this clock's threads. The default is real time, because even a clock that a test moves has real
  // threads; a clock that runs its own kind of threads overrides it.
  virtual void wait_for_threads(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                                std::chrono::nanoseconds limit, const std::function<bool()>& done) {
    wake.threads().wait_for(lock, limit, done);
  }
  // Runs `body` on a new thread. Only threads started here, and the one that made the clock, may
  // wait on this clock.
  virtual Thread start_thread(std::function<void()> body) {
    return Thread(std::make_unique<SystemThread>(std::move(body)));
  }
};

class SystemClock final : public Clock {
 public:
  SteadyTime steady_now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall_now() const override { return std::chrono::system_clock::now(); }
  void wait_until(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                  SteadyTime deadline) override {
    if (deadline == SteadyTime::max()) {
      wake.threads().wait(lock);
    } else {
      wake.threads().wait_until(lock, deadline);
    }
  }
};

}  // namespace proxima
