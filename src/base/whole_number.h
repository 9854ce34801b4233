// SPDX-License-Identifier: Apache-2.0
// Arithmetic on numbers whose size others decide: sums saturate instead of wrapping, nothing is
// divided by 0, and every conversion is defined.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace proxima {

inline constexpr std::uint64_t kLargestCount64 = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > kLargestCount64 - b ? kLargestCount64 : a + b;
}

// scale × part / whole, rounded down; 0 when there is no whole.
constexpr std::uint64_t scaled_ratio(std::uint64_t part, std::uint64_t whole, std::uint64_t scale) {
  using Wide = unsigned __int128;
  if (whole == 0) return 0;
  const Wide ratio = Wide{part} * scale / whole;
  return ratio > kLargestCount64 ? kLargestCount64 : static_cast<std::uint64_t>(ratio);
}

// The nearest count: 0 for what is negative or not a number, and the largest for what is larger.
inline std::uint64_t rounded_count(double value) {
  constexpr double kBeyond = 18'446'744'073'709'551'616.0;  // 2^64
  if (!(value > 0)) return 0;
  return value >= kBeyond ? kLargestCount64 : static_cast<std::uint64_t>(std::round(value));
}

}  // namespace proxima
