// SPDX-License-Identifier: Apache-2.0
#include "traffic/latency_buckets.h"

#include <gtest/gtest.h>

namespace proxima::traffic {
namespace {

using std::chrono::microseconds;

TEST(LatencyBuckets, AreOrderedAndExactWithinAnEighth) {
  LatencyBucket last = 0;
  for (std::int64_t value = 0; value < 20'000'000; value += 1 + value / 50) {
    const LatencyBucket bucket = latency_bucket(microseconds(value));
    EXPECT_GE(bucket, last);
    last = bucket;
    const std::int64_t bound = latency_bound(bucket).count();
    EXPECT_GE(bound, value);
    EXPECT_LE(static_cast<double>(bound), static_cast<double>(value) * 1.13);
  }
}

TEST(LatencyBuckets, EndsOfBucketsBelongToThem) {
  for (int bucket = 0; bucket < 255; ++bucket) {
    const auto bound = latency_bound(static_cast<LatencyBucket>(bucket));
    EXPECT_EQ(latency_bucket(bound), bucket);
    EXPECT_EQ(latency_bucket(bound + microseconds(1)), bucket + 1);
  }
}

TEST(LatencyBuckets, TakesWhatIsTooShortOrTooLong) {
  EXPECT_EQ(latency_bucket(microseconds(-5)), 0);
  EXPECT_EQ(latency_bucket(microseconds::max()), 255);
}

}  // namespace
}  // namespace proxima::traffic
