// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_metrics.h"

#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace proxima::proxy {
namespace {

using telemetry::Counter;
using telemetry::CounterFamily;
using telemetry::LabelValues;
using telemetry::MetricsRegistry;

constexpr const char* kRequest = "request";    // from client to endpoint
constexpr const char* kResponse = "response";  // and back

LabelValues labels_of(const FlowSeries& series) {
  return {std::string(series.ns.view()), std::string(series.service.view()),
          std::string(series.source_zone.view()), std::string(series.target_zone.view())};
}
LabelValues labels_of(const FlowSeries& series, const char* direction) {
  LabelValues labels = labels_of(series);
  labels.emplace_back(direction);
  return labels;
}

// A counter is brought to a total that never falls.
void reach(const Counter& counter, std::uint64_t total) {
  counter.add(static_cast<double>(total) - counter.value());
}

class FlowMetrics {
 public:
  FlowMetrics(MetricsRegistry& registry, std::shared_ptr<const FlowBooks> books)
      : books_(std::move(books)),
        connections_(registry.counters(
            {"proxima_service_connections_total",
             "Tracked connections to a Service through this node, by zone of client and endpoint",
             {"namespace", "service", "source_zone", "target_zone"}})),
        unanswered_(registry.counters(
            {"proxima_service_unanswered_connections_total",
             "Of those, the ones that ended without a single packet from the endpoint",
             {"namespace", "service", "source_zone", "target_zone"}})),
        bytes_(registry.counters(
            {"proxima_service_bytes_total",
             "Bytes of those connections, with headers",
             {"namespace", "service", "source_zone", "target_zone", "direction"}})),
        events_(registry.counter("proxima_flow_events_total",
                                 "Ends of connections that the kernel has told of")),
        events_lost_(registry.counter("proxima_flow_events_lost_total",
                                      "Times that the kernel had to drop such news")),
        looks_(registry.counter("proxima_flow_looks_total", "Looks at all tracked connections")),
        failures_(registry.counter("proxima_flow_failures_total",
                                   "Failures to read events or connections")),
        look_time_(registry.gauge("proxima_flow_look_duration_seconds",
                                  "How long the last look at all tracked connections took")),
        remembered_(registry.gauge("proxima_flows_remembered",
                                   "Connections that last and have been counted in part")) {}

  void update() {
    books_->read([this](const FlowAccounts& accounts, const FlowStatistics& statistics) {
      show(statistics);
      remembered_.set(static_cast<double>(accounts.remembered()));
      show(accounts.by_series());
    });
  }

 private:
  struct Shown {
    Counter connections;
    Counter unanswered;
    Counter request_bytes;
    Counter response_bytes;
  };

  void show(const FlowStatistics& statistics) {
    reach(events_, statistics.events);
    reach(events_lost_, statistics.events_lost);
    reach(looks_, statistics.looks);
    reach(failures_, statistics.failures);
    look_time_.set(std::chrono::duration<double>(statistics.look_time).count());
  }

  void show(const FlowAccounts::BySeries& rows) {
    std::erase_if(shown_, [&](const auto& row) {
      if (rows.contains(row.first)) return false;
      remove(row.first);
      return true;
    });
    for (const auto& [series, account] : rows) {
      const Shown& shown = shown_of(series);
      reach(shown.connections, account.traffic.connections);
      reach(shown.unanswered, account.traffic.unanswered);
      reach(shown.request_bytes, account.traffic.sent_bytes);
      reach(shown.response_bytes, account.traffic.answered_bytes);
    }
  }

  const Shown& shown_of(const FlowSeries& series) {
    const auto found = shown_.find(series);
    if (found != shown_.end()) return found->second;
    const LabelValues labels = labels_of(series);
    return shown_
        .emplace(series, Shown{connections_.with(labels), unanswered_.with(labels),
                               bytes_.with(labels_of(series, kRequest)),
                               bytes_.with(labels_of(series, kResponse))})
        .first->second;
  }

  void remove(const FlowSeries& series) const {
    connections_.remove(labels_of(series));
    unanswered_.remove(labels_of(series));
    bytes_.remove(labels_of(series, kRequest));
    bytes_.remove(labels_of(series, kResponse));
  }

  std::shared_ptr<const FlowBooks> books_;
  CounterFamily connections_;
  CounterFamily unanswered_;
  CounterFamily bytes_;
  Counter events_;
  Counter events_lost_;
  Counter looks_;
  Counter failures_;
  telemetry::Gauge look_time_;
  telemetry::Gauge remembered_;
  std::map<FlowSeries, Shown> shown_;
};

}  // namespace

void show_flows(MetricsRegistry& registry, std::shared_ptr<const FlowBooks> books) {
  auto metrics = std::make_shared<FlowMetrics>(registry, std::move(books));
  registry.before_rendering([metrics] { metrics->update(); });
}

}  // namespace proxima::proxy
