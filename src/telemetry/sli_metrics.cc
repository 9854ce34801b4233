// SPDX-License-Identifier: Apache-2.0
#include "telemetry/sli_metrics.h"

#include "telemetry/process_metrics.h"

namespace proxima::telemetry {

SliMetrics::SliMetrics()
    : last_(registry_.gauges({"kubernetes_healthcheck",
                              "[STABLE] This metric records the result of a single healthcheck.",
                              {"name", "type"}})),
      total_(registry_.counters({"kubernetes_healthchecks_total",
                                 "[STABLE] This metric records the results of all healthcheck.",
                                 {"name", "status", "type"}})) {
  registry_
      .gauge("process_start_time_seconds",
             "[ALPHA] Start time of the process since unix epoch in seconds.")
      .set(process_start_seconds());
}

void SliMetrics::observe(std::string_view check, std::string_view endpoint, Outcome outcome) {
  const bool good = outcome == Outcome::Success;
  const std::string name(check);
  const std::string type(endpoint);
  const std::lock_guard guard(mutex_);
  last_.with({name, type}).set(good ? 1 : 0);
  total_.with({name, good ? "success" : "error", type}).add();
}

void SliMetrics::reset() {
  const std::lock_guard guard(mutex_);
  last_.clear();
  total_.clear();
}

std::string SliMetrics::render() const {
  const std::lock_guard guard(mutex_);
  return registry_.render();
}

}  // namespace proxima::telemetry
