// SPDX-License-Identifier: Apache-2.0
#include "kube/rate_limiter.h"

#include <gtest/gtest.h>

#include "support/fake_clock.h"

namespace proxima::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::FakeClock;

// How many requests go through in `duration`, asked for as fast as possible.
int passed(RateLimits limits, seconds duration) {
  FakeClock clock;
  RateLimiter limiter(limits, clock);
  const auto end = clock.steady_now() + duration;
  int count = 0;
  while (limiter.wait({}) && clock.steady_now() <= end && count < 10'000) ++count;
  return count;
}

TEST(RateLimiter, LetsABurstThroughAndThenSoManyASecond) {
  EXPECT_EQ(passed({.qps = 50, .burst = 100}, seconds(0)), 100);
  EXPECT_NEAR(passed({.qps = 50, .burst = 100}, seconds(10)), 600, 1);
  EXPECT_NEAR(passed({.qps = 1, .burst = 0}, seconds(10)), 11, 1);
  EXPECT_EQ(passed({.qps = 0, .burst = 1}, seconds(0)), 10'000);
}

TEST(RateLimiter, RefusesAtOnceWhenTheTurnWouldComeTooLate) {
  FakeClock clock;
  RateLimiter limiter({.qps = 1, .burst = 1}, clock);
  EXPECT_TRUE(limiter.wait({}));
  EXPECT_FALSE(limiter.wait({}, clock.steady_now() + milliseconds(500)));
  EXPECT_TRUE(clock.waits().empty());
}

TEST(RateLimiter, ACancelledWaitEnds) {
  FakeClock clock;
  RateLimiter limiter({.qps = 0.001, .burst = 1}, clock);
  const net::Cancellation cancellation;
  clock.during_wait([&] { cancellation.cancel(); });
  EXPECT_TRUE(limiter.wait(cancellation));
  const auto refused = limiter.wait(cancellation);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Retry);
  EXPECT_FALSE(limiter.wait(cancellation));
}

}  // namespace
}  // namespace proxima::kube
