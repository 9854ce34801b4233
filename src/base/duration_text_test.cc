// SPDX-License-Identifier: Apache-2.0
#include "base/duration_text.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

TEST(Duration, IsReadAndPrintedAsGoDoes) {
  const struct {
    const char* text;
    std::int64_t nanoseconds;
    const char* printed;
  } cases[] = {
      {"0", 0, "0s"},
      {"0s", 0, "0s"},
      {"15m", 900'000'000'000, "15m0s"},
      {"1h", 3'600'000'000'000, "1h0m0s"},
      {"24h0m0s", 86'400'000'000'000, "24h0m0s"},
      {"1h15m30.918s", 4'530'918'000'000, "1h15m30.918s"},
      {"1.5s", 1'500'000'000, "1.5s"},
      {".5s", 500'000'000, "500ms"},
      {"1.s", 1'000'000'000, "1s"},
      {"250ms", 250'000'000, "250ms"},
      {"3us", 3'000, "3µs"},
      {"3µs", 3'000, "3µs"},
      {"7ns", 7, "7ns"},
      {"-1m30s", -90'000'000'000, "-1m30s"},
      {"+2s", 2'000'000'000, "2s"},
      {"90m", 5'400'000'000'000, "1h30m0s"},
  };
  for (const auto& c : cases) {
    const auto duration = parse_duration(c.text);
    ASSERT_TRUE(duration.has_value()) << c.text;
    EXPECT_EQ(duration->count(), c.nanoseconds) << c.text;
    EXPECT_EQ(duration_text(*duration), c.printed) << c.text;
  }
  EXPECT_EQ(duration_text(std::chrono::nanoseconds::min()), "-2562047h47m16.854775808s");
}

TEST(Duration, IsRefusedWhenItIsNone) {
  for (const char* text : {"", "-", "5", "s", "1x", "1s2", "1 s", ".s", "1h-2m",
                           "9999999999999999999s", "2562048h", "2562047h2562047h"})
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
}

}  // namespace
}  // namespace proxima
