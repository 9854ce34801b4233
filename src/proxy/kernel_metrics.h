// SPDX-License-Identifier: Apache-2.0
// What writes cost in a kernel's own terms. Safe for concurrent use.
#pragma once

#include <string>

#include "proxy/counting_kernel.h"
#include "telemetry/metrics.h"

namespace proxima::proxy {

class KernelMetrics {
 public:
  // Declares them: once a registry, which must outlive it.
  explicit KernelMetrics(telemetry::MetricsRegistry& registry)
      : elements_(registry.histograms(
            {"proxima_sync_elements",
             "Elements of nftables maps and sets that one transaction added or deleted",
             {"ip_family"}},
            telemetry::exponential_buckets(1, 4, 12))),
        others_(registry.counters({"proxima_sync_rule_operations_total",
                                   "Operations on nftables tables, chains, rules and sets",
                                   {"ip_family"}})) {}

  void sent(IpFamily family, const KernelOperations& operations) const {
    const std::string text(to_text(family));
    elements_.with({text}).observe(static_cast<double>(operations.elements));
    others_.with({text}).add(static_cast<double>(operations.others));
  }

 private:
  telemetry::HistogramFamily elements_;
  telemetry::CounterFamily others_;
};

}  // namespace proxima::proxy
