// SPDX-License-Identifier: Apache-2.0
// Latencies by size: eight buckets for each doubling, so that a quantile is right within 13 %.
#pragma once

#include <chrono>
#include <cstdint>

namespace proxima::traffic {

using LatencyBucket = std::uint8_t;

// Bigger latencies never have smaller buckets; what is longer than four hours is in the last.
LatencyBucket latency_bucket(std::chrono::microseconds latency);
// The longest latency of a bucket.
std::chrono::microseconds latency_bound(LatencyBucket bucket);

}  // namespace proxima::traffic
