// SPDX-License-Identifier: Apache-2.0
#include "kube/backoff.h"

#include <algorithm>

namespace proxima::kube {

Duration exponential_delay(const BackoffRange& range, std::uint32_t failures) {
  Duration delay = range.first;
  for (std::uint32_t i = 0; i < failures && delay < range.cap; ++i) {
    // Doubling what is above half the cap would pass it, and might overflow.
    delay = delay > range.cap / 2 ? range.cap : delay * 2;
    if (delay == Duration::zero()) break;
  }
  return std::min(delay, range.cap);
}

Duration TokenBucket::reserve(Clock::SteadyTime now) {
  if (now > filled_) {
    const std::chrono::duration<double> passed = now - filled_;
    tokens_ = std::min(burst_, tokens_ + passed.count() * per_second_);
    filled_ = now;
  }
  tokens_ -= 1;
  if (tokens_ >= 0) return Duration::zero();
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(-tokens_ / per_second_));
}

Duration JitteredBackoff::next(Clock::SteadyTime now, SplitMix& random) {
  if (failures_ > 0 && now - last_ > options_.reset_after) failures_ = 0;
  last_ = now;
  const Duration base = exponential_delay(options_.range, failures_++);
  return base + std::chrono::duration_cast<Duration>(base * random.unit());
}

}  // namespace proxima::kube
