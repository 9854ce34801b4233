// SPDX-License-Identifier: Apache-2.0
#include "core/policy/load_aware_config.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::policy {
namespace {

using std::chrono::milliseconds;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LoadAwareConfig, AcceptsAndRefusesAsEnvoyDoes) {
  const struct {
    const char* name;
    void (*change)(LoadAwareConfig&);
    const char* refused;  // the field, "" when accepted
  } cases[] = {
      // clang-format off
      {"the defaults", [](auto&) {}, ""},
      {"the shortest period", [](auto& c) { c.weight_update_period = milliseconds(100); }, ""},
      {"a shorter period", [](auto& c) { c.weight_update_period = milliseconds(99); }, "weight_update_period"},
      {"the shortest smoothing", [](auto& c) { c.smoothing_time_constant = milliseconds(1); }, ""},
      {"no smoothing", [](auto& c) { c.smoothing_time_constant = milliseconds(0); }, "smoothing_time_constant"},
      {"no slack", [](auto& c) { c.utilization_variance_threshold = 0; }, ""},
      {"all slack", [](auto& c) { c.utilization_variance_threshold = 1; }, ""},
      {"more slack than there is", [](auto& c) { c.utilization_variance_threshold = 1.01; }, "utilization_variance_threshold"},
      {"slack that is no number", [](auto& c) { c.utilization_variance_threshold = kNan; }, "utilization_variance_threshold"},
      {"no probe", [](auto& c) { c.remote_probe_fraction = 0; }, ""},
      {"nearly only probes", [](auto& c) { c.remote_probe_fraction = 0.99; }, ""},
      {"only probes", [](auto& c) { c.remote_probe_fraction = 1; }, "remote_probe_fraction"},
      {"a probe that is no number", [](auto& c) { c.remote_probe_fraction = kNan; }, "remote_probe_fraction"},
      {"reports for ever", [](auto& c) { c.weight_expiration_period = milliseconds(0); }, ""},
      {"reports from the future", [](auto& c) { c.weight_expiration_period = milliseconds(-1); }, "weight_expiration_period"},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    LoadAwareConfig config;
    c.change(config);
    const Status status = check_load_aware_config(config);
    EXPECT_EQ(
        status.has_value() ? "" : status.error().message.substr(0, std::string(c.refused).size()),
        c.refused);
    EXPECT_EQ(status.has_value(), std::string(c.refused).empty());
  }
}

TEST(LoadAwareConfig, OneNumberIsTakenFromAReport) {
  const std::vector<std::string> names = {"named_metrics.queue", "utilization.disk"};
  const struct {
    const char* name;
    double application;
    double cpu;
    std::vector<OrcaReport::Metric> metrics;
    std::optional<double> utilization;
  } cases[] = {
      {"the application's own first", 0.7, 0.4, {}, 0.7},
      {"then the CPU", 0, 0.4, {}, 0.4},
      {"nothing said", 0, 0, {}, std::nullopt},
      {"a named metric before both", 0.7, 0.4, {{"utilization.disk", 0.2}}, 0.2},
      {"the highest named one",
       0.7,
       0.4,
       {{"utilization.disk", 0.2}, {"named_metrics.queue", 0.5}},
       0.5},
      {"not one that nobody asked for", 0.7, 0.4, {{"named_metrics.other", 0.9}}, 0.7},
      {"nor one that is 0", 0.7, 0.4, {{"utilization.disk", 0}}, 0.7},
      {"more than all is all", 1.5, 0, {}, 1.0},
      {"a negative one says nothing", -1, 0.4, {}, 0.4},
      {"no number says nothing", kNan, 0.4, {}, 0.4},
      {"an infinite one spoils the report", kInfinity, 0.4, {}, std::nullopt},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(orca_utilization({c.application, c.cpu, c.metrics}, names), c.utilization);
  }
}

}  // namespace
}  // namespace proxima::policy
