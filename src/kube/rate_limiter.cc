// SPDX-License-Identifier: Apache-2.0
#include "kube/rate_limiter.h"

#include <algorithm>

#include "kube/cancellable_wait.h"

namespace proxima::kube {

RateLimiter::RateLimiter(const RateLimits& limits, Clock& clock)
    : limited_(limits.qps > 0), clock_(clock), bucket_(limits.qps, std::max(limits.burst, 1.0)) {}

Duration RateLimiter::reserve() {
  if (!limited_) return Duration::zero();
  const std::lock_guard guard(mutex_);
  return bucket_.reserve(clock_.steady_now());
}

Status RateLimiter::wait(const net::Cancellation& cancellation, Clock::SteadyTime latest) {
  if (cancellation.cancelled()) return Error{ErrorCode::Retry, "cancelled"};
  const Duration turn = reserve();
  if (turn <= Duration::zero()) return Unit{};
  if (latest != Clock::SteadyTime::max() && turn > latest - clock_.steady_now())
    return Error{ErrorCode::Retry, "the client's own rate limit would make it late"};
  if (wait_for(clock_, turn, cancellation) == Waited::Done) return Unit{};
  return Error{ErrorCode::Retry, "cancelled while waiting for the client's own rate limit"};
}

}  // namespace proxima::kube
