// SPDX-License-Identifier: Apache-2.0
// The port to time: whoever waits or asks for the time has one of these, so that tests can put a
// clock of their own in its place. Safe for concurrent use.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

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
  // `deadline` has come. May return early for no reason: the caller looks at its own condition.
  virtual void wait_until(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
                          SteadyTime deadline) = 0;
};

class SystemClock final : public Clock {
 public:
  SteadyTime steady_now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall_now() const override { return std::chrono::system_clock::now(); }
  void wait_until(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
                  SteadyTime deadline) override {
    wake.wait_until(lock, deadline);
  }
};

}  // namespace proxima
