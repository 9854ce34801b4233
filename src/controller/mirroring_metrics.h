// SPDX-License-Identifier: Apache-2.0
// What mirroring does, in numbers, under upstream's names. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "controller/slice_port.h"
#include "slices/mirror_endpoints.h"
#include "telemetry/metrics.h"

namespace proxima::controller {

class MirroringMetrics {
 public:
  // The registry must outlive it, and can have only one.
  explicit MirroringMetrics(telemetry::MetricsRegistry& registry);

  void synced(std::chrono::nanoseconds took) const;
  // What an Endpoints object ("shop/db") comes to.
  void mirrored(const std::string& key, const slices::MirrorDraft& draft);
  void forget(const std::string& key);
  // Another leads now.
  void forget_all();
  void wrote(SliceOperation operation) const;
  // An internal error stopped a sync.
  void broke_down() const;

 private:
  struct Share {
    std::size_t endpoints = 0;
    std::size_t slices = 0;
    std::size_t slices_desired = 0;
  };
  void show_totals() const;

  telemetry::Histogram added_;
  telemetry::Histogram updated_;
  telemetry::Histogram removed_;
  telemetry::Histogram skipped_;
  telemetry::Histogram duration_;
  telemetry::Gauge endpoints_;
  telemetry::Gauge slices_;
  telemetry::Gauge slices_desired_;
  telemetry::CounterFamily changes_;
  telemetry::Counter internal_errors_;
  std::mutex mutex_;
  Share total_;
  std::map<std::string, Share> shares_;
};

}  // namespace proxima::controller
