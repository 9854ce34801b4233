// SPDX-License-Identifier: Apache-2.0
// What every component of Kubernetes tells about its queues, for one queue. Safe for concurrent
// use.
#pragma once

#include <string>

#include "kube/work_queue.h"
#include "telemetry/metrics.h"

namespace proxima::controller {

class WorkQueueMetrics final : public kube::WorkQueueObserver {
 public:
  // Once a registry and name. The registry must outlive it.
  WorkQueueMetrics(telemetry::MetricsRegistry& registry, const std::string& name);

  void added() override;
  void delayed() override;
  void taken(kube::Duration waited) override;
  void finished(kube::Duration worked) override;
  // What is looked up when somebody asks.
  void show(std::size_t depth, const kube::UnfinishedWork& work);

 private:
  telemetry::Gauge depth_;
  telemetry::Counter adds_;
  telemetry::Histogram latency_;
  telemetry::Histogram work_;
  telemetry::Gauge unfinished_;
  telemetry::Gauge longest_;
  telemetry::Counter retries_;
};

}  // namespace proxima::controller
