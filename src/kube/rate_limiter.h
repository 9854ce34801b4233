// SPDX-License-Identifier: Apache-2.0
// How many requests a client sends: `burst` at once, then `qps` a second, first come, first served.
// As client-go's flow control. Safe for concurrent use.
#pragma once

#include <chrono>
#include <mutex>

#include "base/clock.h"
#include "base/result.h"
#include "kube/backoff.h"
#include "net/cancellation.h"

namespace proxima::kube {

struct RateLimits {
  double qps = 50;  // 0 or less: no limit
  double burst = 100;
};

class RateLimiter {
 public:
  // The clock must outlive the limiter.
  RateLimiter(const RateLimits& limits, Clock& clock);

  // Waits for this request's turn. An error (Retry): cancelled, or the turn would come after
  // `latest`; the place in the row is lost then, which makes the others a little slower, never
  // faster.
  Status wait(const net::Cancellation& cancellation,
              Clock::SteadyTime latest = Clock::SteadyTime::max());

 private:
  Duration reserve();

  bool limited_;
  Clock& clock_;
  std::mutex mutex_;
  TokenBucket bucket_;
};

}  // namespace proxima::kube
