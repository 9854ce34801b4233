// SPDX-License-Identifier: Apache-2.0
// When the next write to the kernel is due: at once for a request after a quiet time, never sooner
// than a least interval after the last one ended, again after a failure, and now and then without
// any request. Only says when; whoever waits does so elsewhere.
#pragma once

#include <chrono>
#include <optional>

#include "base/clock.h"

namespace proxima::proxy {

struct SyncIntervals {
  std::chrono::nanoseconds least = std::chrono::seconds(1);   // from the end of a run to the next
  std::chrono::nanoseconds retry = std::chrono::seconds(30);  // after a failure
  std::chrono::nanoseconds most = std::chrono::hours(1);      // at least `least`
};

// Not for concurrent use.
class SyncPace {
 public:
  using Time = Clock::SteadyTime;

  SyncPace(const SyncIntervals& intervals, Time now);

  // Any number of requests before a run are one.
  void request() { requested_ = true; }
  bool is_due(Time now) const { return now >= next_run(); }
  // Not before this; it may come sooner when somebody makes a request. The past: now.
  Time next_run() const;
  // A run takes every request with it, and puts an end to a retry.
  void begin() { requested_ = false; }
  enum class Outcome { Success, Failure };
  void end(Time now, Outcome outcome);

 private:
  SyncIntervals intervals_;
  bool requested_ = false;
  Time earliest_;  // for a request
  Time latest_;    // without one
};

}  // namespace proxima::proxy
