// SPDX-License-Identifier: Apache-2.0
#include "traffic/latency_buckets.h"

#include <algorithm>
#include <bit>

namespace proxima::traffic {

namespace {

constexpr unsigned kStepBits = 3;  // buckets for each doubling, as a power of two
constexpr std::uint64_t kSteps = 1U << kStepBits;
constexpr LatencyBucket kLast = 255;

}  // namespace

// The first buckets hold one microsecond each. Beyond, a bucket is the position of the highest bit
// and the bits after it.
LatencyBucket latency_bucket(std::chrono::microseconds latency) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
  if (value < kSteps) return static_cast<LatencyBucket>(value);
  const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1 - kStepBits;
  const std::uint64_t bucket = (octave + 1) * kSteps + ((value >> octave) - kSteps);
  return static_cast<LatencyBucket>(std::min<std::uint64_t>(bucket, kLast));
}

std::chrono::microseconds latency_bound(LatencyBucket bucket) {
  if (bucket < kSteps) return std::chrono::microseconds(bucket);
  const std::uint64_t octave = bucket / kSteps - 1;
  const std::uint64_t next = kSteps + bucket % kSteps + 1;
  return std::chrono::microseconds((next << octave) - 1);
}

}  // namespace proxima::traffic
