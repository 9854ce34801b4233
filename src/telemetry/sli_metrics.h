// SPDX-License-Identifier: Apache-2.0
// How often each health check was asked and what came of it, as Kubernetes' components tell it at
// /metrics/slis, under their names. Safe for concurrent use.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "telemetry/metrics.h"

namespace proxima::telemetry {

class SliMetrics {
 public:
  SliMetrics();

  enum class Outcome { Success, Error };
  // Of the check "ping" at the endpoint "livez".
  void observe(std::string_view check, std::string_view endpoint, Outcome outcome);
  // Forgets every check, as DELETE asks for.
  void reset();
  // As MetricsRegistry does.
  std::string render() const;

 private:
  MetricsRegistry registry_;  // apart from the process's other metrics
  mutable std::mutex mutex_;  // a series that is forgotten must not be in use
  GaugeFamily last_;
  CounterFamily total_;
};

}  // namespace proxima::telemetry
