// SPDX-License-Identifier: Apache-2.0
// Settings of Envoy's load-aware locality policy, and how a backend's own report becomes the one
// number that it works with.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::policy {

struct LoadAwareConfig {
  std::chrono::milliseconds weight_update_period{1000};     // at least 100 ms
  std::chrono::milliseconds smoothing_time_constant{5000};  // above 0
  double utilization_variance_threshold = 0.1;              // 0 to 1: how much hotter home may be
  double remote_probe_fraction = 0.03;                      // from 0 to below 1: always sent away
  std::chrono::milliseconds weight_expiration_period{180'000};  // 0: reports never expire
  std::vector<std::string> metric_names;                        // asked before all other numbers
};

Status check_load_aware_config(const LoadAwareConfig& config);

// What a calculation of weights needs of it.
struct LoadAwareParameters {
  double variance_threshold = 0.1;
  double ewma_alpha = 1;  // weight of the newest average, above 0 and at most 1
  double remote_probe_fraction = 0.03;
  std::chrono::milliseconds weight_expiration{0};
};

// Only for a config that passes the check.
LoadAwareParameters load_aware_parameters(const LoadAwareConfig& config);

// One backend's load report (ORCA).
struct OrcaReport {
  double application_utilization = 0;  // 0: not said
  double cpu_utilization = 0;          // 0: not said
  struct Metric {
    std::string_view name;  // with its group: "named_metrics.foo"
    double value = 0;
  };
  std::span<const Metric> metrics;
};

// Utilisation from 0 to 1, or none when the report says nothing usable and the host's earlier one
// stays: 0 counts as nothing said, so an idle host looks like a silent one.
std::optional<double> orca_utilization(const OrcaReport& report,
                                       std::span<const std::string> metric_names);

}  // namespace proxima::policy
