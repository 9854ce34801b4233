// SPDX-License-Identifier: Apache-2.0
#include "telemetry/sli_metrics.h"

#include <gtest/gtest.h>

namespace proxima::telemetry {
namespace {

bool shows(const SliMetrics& metrics, const std::string& line) {
  return ("\n" + metrics.render()).find("\n" + line) != std::string::npos;
}

TEST(SliMetrics, TellTheLastResultAndCountAllOfThem) {
  SliMetrics metrics;
  metrics.observe("routes", "readyz", SliMetrics::Outcome::Error);
  EXPECT_TRUE(shows(metrics, R"(kubernetes_healthcheck{name="routes",type="readyz"} 0)"));
  metrics.observe("routes", "readyz", SliMetrics::Outcome::Success);
  metrics.observe("routes", "readyz", SliMetrics::Outcome::Success);
  const struct {
    const char* line;
  } rows[] = {
      {R"(kubernetes_healthcheck{name="routes",type="readyz"} 1)"},
      {R"(kubernetes_healthchecks_total{name="routes",status="error",type="readyz"} 1)"},
      {R"(kubernetes_healthchecks_total{name="routes",status="success",type="readyz"} 2)"},
      {"# TYPE kubernetes_healthcheck gauge\n"},
      {"# TYPE kubernetes_healthchecks_total counter\n"},
      {"process_start_time_seconds 1"},
  };
  for (const auto& row : rows) EXPECT_TRUE(shows(metrics, row.line)) << metrics.render();
}

TEST(SliMetrics, ForgetTheChecksAndNotWhenTheProcessBegan) {
  SliMetrics metrics;
  metrics.observe("ping", "livez", SliMetrics::Outcome::Success);
  metrics.reset();
  EXPECT_FALSE(shows(metrics, "kubernetes_healthcheck{")) << metrics.render();
  EXPECT_FALSE(shows(metrics, "kubernetes_healthchecks_total{")) << metrics.render();
  EXPECT_TRUE(shows(metrics, "process_start_time_seconds ")) << metrics.render();
  metrics.observe("ping", "livez", SliMetrics::Outcome::Success);
  EXPECT_TRUE(shows(
      metrics, R"(kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 1)"))
      << metrics.render();
}

}  // namespace
}  // namespace proxima::telemetry
