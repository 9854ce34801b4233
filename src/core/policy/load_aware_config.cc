// SPDX-License-Identifier: Apache-2.0
#include "core/policy/load_aware_config.h"

#include <algorithm>
#include <cmath>

namespace proxima::policy {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestUpdatePeriod{100};

Error refused(std::string message) { return {ErrorCode::InvalidInput, std::move(message)}; }

double highest_named(const OrcaReport& report, std::span<const std::string> names) {
  double highest = 0;
  for (const OrcaReport::Metric& metric : report.metrics) {
    if (std::find(names.begin(), names.end(), metric.name) == names.end()) continue;
    if (metric.value > highest) highest = metric.value;
  }
  return highest;
}

}  // namespace

Status check_load_aware_config(const LoadAwareConfig& config) {
  if (config.weight_update_period < kShortestUpdatePeriod) {
    return refused("weight_update_period: must be at least 100 ms");
  }
  if (config.smoothing_time_constant <= milliseconds::zero()) {
    return refused("smoothing_time_constant: must be above 0 ms");
  }
  // Written so that NaN is refused as well.
  const double variance = config.utilization_variance_threshold;
  if (!(variance >= 0 && variance <= 1)) {
    return refused("utilization_variance_threshold: must be from 0 to 1");
  }
  const double probe = config.remote_probe_fraction;
  if (!(probe >= 0 && probe < 1)) {
    return refused("remote_probe_fraction: must be at least 0 and below 1");
  }
  if (config.weight_expiration_period < milliseconds::zero()) {
    return refused("weight_expiration_period: must not be negative");
  }
  return Unit{};
}

LoadAwareParameters load_aware_parameters(const LoadAwareConfig& config) {
  const auto period = static_cast<double>(config.weight_update_period.count());
  const auto constant = static_cast<double>(config.smoothing_time_constant.count());
  return {.variance_threshold = config.utilization_variance_threshold,
          .ewma_alpha = 1 - std::exp(-period / constant),
          .remote_probe_fraction = config.remote_probe_fraction,
          .weight_expiration = config.weight_expiration_period};
}

std::optional<double> orca_utilization(const OrcaReport& report,
                                       std::span<const std::string> metric_names) {
  double value = highest_named(report, metric_names);
  if (!(value > 0)) value = report.application_utilization;
  if (!(value > 0)) value = report.cpu_utilization;
  if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
  return std::min(value, 1.0);
}

}  // namespace proxima::policy
