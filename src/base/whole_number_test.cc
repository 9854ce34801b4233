// SPDX-License-Identifier: Apache-2.0
#include "base/whole_number.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima {
namespace {

constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

TEST(WholeNumber, SumsSaturate) {
  struct Row {
    const char* name;
    std::uint64_t a, b, sum;
  };
  const Row rows[] = {
      {"small numbers add up", 2, 3, 5},
      {"the largest sum is exact", kHalf, kHalf - 1, kLargestCount64},
      {"one more stays there instead of wrapping to 0", kHalf, kHalf, kLargestCount64},
      {"nothing wraps, however large", kLargestCount64, kLargestCount64, kLargestCount64},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(saturating_sum(row.a, row.b), row.sum) << row.name;
    EXPECT_EQ(saturating_sum(row.b, row.a), row.sum) << row.name;
  }
}

TEST(WholeNumber, RatiosAreRoundedDown) {
  struct Row {
    const char* name;
    std::uint64_t part, whole, scale, ratio;
  };
  const Row rows[] = {
      {"a third", 1, 3, 10'000, 3'333},
      {"all of it", 7, 7, 10'000, 10'000},
      {"of nothing there is nothing", 5, 0, 10'000, 0},
      {"the product may exceed 64 bits", kHalf, kLargestCount64, 10'000, 5'000},
      {"a result that does not fit saturates", kLargestCount64, 1, 2, kLargestCount64},
  };
  for (const Row& row : rows)
    EXPECT_EQ(scaled_ratio(row.part, row.whole, row.scale), row.ratio) << row.name;
}

TEST(WholeNumber, EveryDoubleHasACount) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Row {
    const char* name;
    double value;
    std::uint64_t count;
  };
  const Row rows[] = {
      {"halves are rounded up", 2.5, 3},
      {"what is below a half is nothing", 0.49, 0},
      {"negative numbers are nothing", -7, 0},
      {"what is not a number is nothing", std::numeric_limits<double>::quiet_NaN(), 0},
      {"2^63 fits", 9'223'372'036'854'775'808.0, kHalf},
      {"2^64 does not", 18'446'744'073'709'551'616.0, kLargestCount64},
      {"nor does infinity", kInfinity, kLargestCount64},
  };
  for (const Row& row : rows) EXPECT_EQ(rounded_count(row.value), row.count) << row.name;
}

}  // namespace
}  // namespace proxima
