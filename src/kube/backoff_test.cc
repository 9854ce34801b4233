// SPDX-License-Identifier: Apache-2.0
#include "kube/backoff.h"

#include <gtest/gtest.h>

namespace proxima::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(ExponentialDelay, DoublesUpToItsCap) {
  const struct {
    BackoffRange range;
    std::uint32_t failures;
    Duration delay;
  } rows[] = {
      {{milliseconds(5), seconds(1000)}, 0, milliseconds(5)},
      {{milliseconds(5), seconds(1000)}, 1, milliseconds(10)},
      {{milliseconds(5), seconds(1000)}, 10, milliseconds(5120)},
      {{milliseconds(5), seconds(1000)}, 18, seconds(1000)},
      {{milliseconds(5), seconds(1000)}, 4'000'000'000, seconds(1000)},
      {{seconds(1), seconds(1000)}, 9, seconds(512)},
      {{seconds(1), seconds(1000)}, 10, seconds(1000)},
      {{seconds(3), seconds(2)}, 0, seconds(2)},
      {{seconds(0), seconds(2)}, 4'000'000'000, seconds(0)},
  };
  for (const auto& row : rows)
    EXPECT_EQ(exponential_delay(row.range, row.failures), row.delay) << row.failures;
}

TEST(TokenBucket, LetsABurstThroughAndThenSoManyASecond) {
  TokenBucket bucket(10, 3);
  const Clock::SteadyTime start{seconds(100)};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.reserve(start), Duration::zero());
  EXPECT_EQ(bucket.reserve(start), milliseconds(100));
  EXPECT_EQ(bucket.reserve(start), milliseconds(200));
  // Two were promised and one more comes in 300 ms, so that one is free again.
  EXPECT_EQ(bucket.reserve(start + milliseconds(300)), Duration::zero());
  EXPECT_EQ(bucket.reserve(start + milliseconds(300)), milliseconds(100));
}

TEST(JitteredBackoff, StaysWithinOnceAndTwiceTheDoublingDelay) {
  JitteredBackoff backoff({.range = {milliseconds(800), seconds(30)}});
  SplitMix random(7);
  Clock::SteadyTime now{seconds(100)};
  for (const auto base :
       {milliseconds(800), milliseconds(1600), milliseconds(3200), milliseconds(6400),
        milliseconds(12'800), milliseconds(25'600), milliseconds(30'000), milliseconds(30'000)}) {
    const auto delay = backoff.next(now, random);
    EXPECT_GE(delay, base);
    EXPECT_LT(delay, 2 * base);
    now += delay;
  }
}

TEST(JitteredBackoff, StartsAgainAfterALongHealthyTime) {
  JitteredBackoff backoff({.range = {milliseconds(800), seconds(30)}, .reset_after = minutes(2)});
  SplitMix random(7);
  Clock::SteadyTime now{seconds(100)};
  for (int i = 0; i < 10; ++i) backoff.next(now, random);
  EXPECT_GE(backoff.next(now + minutes(2), random), seconds(30));
  EXPECT_LT(backoff.next(now + minutes(4) + seconds(1), random), milliseconds(1600));
}

}  // namespace
}  // namespace proxima::kube
