// SPDX-License-Identifier: Apache-2.0
#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

using std::chrono::microseconds;

WallTime at(std::int64_t micros) { return WallTime(microseconds(micros)); }

struct TimestampRow {
  const char* text;
  std::int64_t micros;  // since 1970; -1: refused
};
constexpr TimestampRow kTimestamps[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"2026-03-01T12:34:56Z", 1772368496000000},
    {"2026-03-01T12:34:56.789Z", 1772368496789000},
    {"2026-03-01T12:34:56.123456789Z", 1772368496123456},
    {"2026-03-01T14:34:56+02:00", 1772368496000000},
    {"2026-03-01T02:04:56-10:30", 1772368496000000},
    {"2024-02-29T00:00:00Z", 1709164800000000},
    {"2023-02-29T00:00:00Z", -1},
    {"2026-03-01 12:34:56Z", -1},
    {"2026-03-01T12:34:56", -1},
    {"2026-03-01T12:34:56.Z", -1},
    {"2026-03-01T24:00:00Z", -1},
    {"2026-13-01T00:00:00Z", -1},
    {"2026-03-01T12:34:56Zx", -1},
    {"9999-01-01T00:00:00Z", -1},
    {"", -1},
    {"20", -1},
};

TEST(Timestamp, ReadsWhatRfc3339Allows) {
  for (const TimestampRow& row : kTimestamps) {
    const auto time = parse_time(row.text);
    ASSERT_EQ(time.has_value(), row.micros != -1) << row.text;
    if (!time) continue;
    EXPECT_EQ(std::chrono::floor<microseconds>(*time), at(row.micros)) << row.text;
  }
}

TEST(Timestamp, WritesSecondsAndMicroseconds) {
  EXPECT_EQ(time_text(at(1772368496789000)), "2026-03-01T12:34:56Z");
  EXPECT_EQ(micro_time_text(at(1772368496789001)), "2026-03-01T12:34:56.789001Z");
  EXPECT_EQ(micro_time_text(at(0)), "1970-01-01T00:00:00.000000Z");
}

}  // namespace
}  // namespace proxima
