// SPDX-License-Identifier: Apache-2.0
#include "telemetry/process_metrics.h"

#include <gtest/gtest.h>

#include <chrono>

namespace proxima::telemetry {
namespace {

TEST(ProcessMetrics, AStatLineIsReadWhateverTheProgramIsCalled) {
  const std::string tail =
      " S 1 2 3 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 98765 123456789 4321 1 2 3\n";
  for (const char* name : {"proxima", "a b) S 1 (c", ""}) {
    const auto stat = parse_process_stat("42 (" + std::string(name) + ")" + tail);
    ASSERT_TRUE(stat.has_value()) << name;
    EXPECT_EQ(stat->cpu_ticks, 300U);
    EXPECT_EQ(stat->start_ticks, 98765U);
    EXPECT_EQ(stat->virtual_bytes, 123456789U);
    EXPECT_EQ(stat->resident_pages, 4321U);
  }
  for (const char* line : {"", "42 (proxima", "42 (proxima) S 1 2"})
    EXPECT_FALSE(parse_process_stat(line).has_value()) << line;
}

double value_of(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name + " ");
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

TEST(ProcessMetrics, TellAboutThisProcess) {
  MetricsRegistry registry;
  add_process_metrics(registry);
  const std::string first = registry.render();
  EXPECT_GT(value_of(first, "process_resident_memory_bytes"), 1e6);
  EXPECT_GT(value_of(first, "process_virtual_memory_bytes"), 1e6);
  EXPECT_GE(value_of(first, "process_open_fds"), 3);
  EXPECT_GE(value_of(first, "process_max_fds"), value_of(first, "process_open_fds"));
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_NEAR(value_of(first, "process_start_time_seconds"), now, 600);
  EXPECT_GE(value_of(registry.render(), "process_cpu_seconds_total"),
            value_of(first, "process_cpu_seconds_total"));
}

}  // namespace
}  // namespace proxima::telemetry
