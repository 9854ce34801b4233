// SPDX-License-Identifier: Apache-2.0
#include "controller/work_queue_metrics.h"

namespace proxima::controller {
namespace {

double as_seconds(kube::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

WorkQueueMetrics::WorkQueueMetrics(telemetry::MetricsRegistry& registry, const std::string& name)
    : depth_(registry.gauges({"workqueue_depth", "Current depth of workqueue", {"name"}})
                 .with({name})),
      adds_(registry
                .counters(
                    {"workqueue_adds_total", "Total number of adds handled by workqueue", {"name"}})
                .with({name})),
      latency_(registry
                   .histograms({"workqueue_queue_duration_seconds",
                                "How long in seconds an item stays in workqueue before being "
                                "requested.",
                                {"name"}},
                               telemetry::exponential_buckets(10e-9, 10, 10))
                   .with({name})),
      work_(registry
                .histograms({"workqueue_work_duration_seconds",
                             "How long in seconds processing an item from workqueue takes.",
                             {"name"}},
                            telemetry::exponential_buckets(10e-9, 10, 10))
                .with({name})),
      unfinished_(registry
                      .gauges({"workqueue_unfinished_work_seconds",
                               "How many seconds of work has done that is in progress and hasn't "
                               "been observed by work_duration. Large values indicate stuck "
                               "threads. One can deduce the number of stuck threads by observing "
                               "the rate at which this increases.",
                               {"name"}})
                      .with({name})),
      longest_(registry
                   .gauges({"workqueue_longest_running_processor_seconds",
                            "How many seconds has the longest running processor for workqueue "
                            "been running.",
                            {"name"}})
                   .with({name})),
      retries_(registry
                   .counters({"workqueue_retries_total",
                              "Total number of retries handled by workqueue",
                              {"name"}})
                   .with({name})) {}

void WorkQueueMetrics::added() { adds_.add(); }
void WorkQueueMetrics::delayed() { retries_.add(); }
void WorkQueueMetrics::taken(kube::Duration waited) { latency_.observe(as_seconds(waited)); }
void WorkQueueMetrics::finished(kube::Duration worked) { work_.observe(as_seconds(worked)); }

void WorkQueueMetrics::show(std::size_t depth, const kube::UnfinishedWork& work) {
  depth_.set(static_cast<double>(depth));
  unfinished_.set(as_seconds(work.total));
  longest_.set(as_seconds(work.longest));
}

}  // namespace proxima::controller
