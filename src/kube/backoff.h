// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next try. Pure: time and random numbers are arguments.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/split_mix.h"

namespace proxima::kube {

using Duration = std::chrono::nanoseconds;

struct BackoffRange {
  Duration first;
  Duration cap;
};

// first · 2^failures, at most the cap; `failures` counts those before this one.
Duration exponential_delay(const BackoffRange& range, std::uint32_t failures);

// Lets `burst` through at once and then `per_second`; who comes too early is told how long to wait,
// and has his place in the row with that.
class TokenBucket {
 public:
  TokenBucket(double per_second, double burst)
      : per_second_(per_second), burst_(burst), tokens_(burst) {}

  Duration reserve(Clock::SteadyTime now);

 private:
  double per_second_;
  double burst_;
  double tokens_;  // below zero: promised already
  Clock::SteadyTime filled_{};
};

struct JitteredBackoffOptions {
  BackoffRange range = {std::chrono::milliseconds(800), std::chrono::seconds(30)};
  // So long without a failure, and the next one counts as the first again.
  Duration reset_after = std::chrono::minutes(2);
};

// The delays of one client against one server: doubling, each spread over [d, 2d) so that clients
// that failed together do not come back together. The spread may pass the cap.
class JitteredBackoff {
 public:
  explicit JitteredBackoff(const JitteredBackoffOptions& options) : options_(options) {}

  Duration next(Clock::SteadyTime now, SplitMix& random);

 private:
  JitteredBackoffOptions options_;
  std::uint32_t failures_ = 0;
  Clock::SteadyTime last_{};
};

}  // namespace proxima::kube
