// SPDX-License-Identifier: Apache-2.0
// A ring of seconds. A second holds only the flows that had an end in it, so that idle flows and
// idle seconds cost nothing; a flow that no second holds any more is forgotten, so that Pods may
// come and go without end.
#include "traffic/traffic_meter.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "traffic/latency_buckets.h"

namespace proxima::traffic {

namespace {

struct Counts {
  std::uint64_t requests = 0;
  std::uint64_t retried = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;

  Counts& operator+=(const Counts& other) {
    requests += other.requests;
    retried += other.retried;
    failed += other.failed;
    bytes += other.bytes;
    return *this;
  }
};

// What is known of a flow beside its counts.
struct FlowEntry {
  std::size_t seconds = 0;   // that hold it
  std::int64_t second = -1;  // the last of them
  std::size_t position = 0;  // in that one's rows
};
using Flows = std::map<Flow, FlowEntry>;              // its nodes stay where they are
using Services = std::map<std::string, std::size_t>;  // how many rows of seconds hold it

struct FlowRow {
  Flows::iterator flow;
  Counts counts;
};
struct LatencyRow {
  Services::iterator service;
  LatencyBucket bucket = 0;
  std::uint32_t requests = 0;
};
struct Second {
  std::int64_t number = 0;
  std::vector<FlowRow> flows;
  std::vector<LatencyRow> latencies;
};

Seen to_seen(const Flow& flow, const Counts& counts) {
  return {.service = flow.service,
          .from_zone = flow.from_zone,
          .from_node = flow.from_node,
          .to_zone = flow.to_zone,
          .to_node = flow.to_node,
          .pod = flow.pod,
          .requests = counts.requests,
          .retried = counts.retried,
          .failed = counts.failed,
          .bytes = counts.bytes};
}

Counts to_counts(const Outcome& outcome) {
  return {.requests = outcome.failed ? 0U : 1U,
          .retried = outcome.retried ? 1U : 0U,
          .failed = outcome.failed ? 1U : 0U,
          .bytes = outcome.bytes};
}

using Buckets = std::array<std::uint64_t, 256>;

std::chrono::microseconds quantile(const Buckets& buckets, std::uint64_t rank) {
  std::uint64_t below = 0;
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    below += buckets[bucket];
    if (below >= rank) return latency_bound(static_cast<LatencyBucket>(bucket));
  }
  return {};
}

}  // namespace

struct TrafficMeter::State {
  explicit State(const Clock& with_clock) : clock(with_clock) {}

  std::int64_t second_now() const {
    return std::chrono::floor<std::chrono::seconds>(clock.steady_now().time_since_epoch()).count();
  }
  Second& current(std::int64_t now);
  void forget_before(std::int64_t first);
  void count_flow(Second& second, const Flow& flow, const Counts& counts);
  void count_latency(Second& second, const std::string& service, std::chrono::microseconds latency);
  // Calls `visit` with every second of the window.
  template <class Visit>
  void for_window(std::chrono::seconds last, Visit visit) const;

  const Clock& clock;
  mutable std::mutex mutex;
  std::deque<Second> seconds;  // ascending numbers; seconds without an end are not there
  Flows flows;
  Services services;
  std::map<std::tuple<std::string, std::string, std::string>, Counts> totals;
};

Second& TrafficMeter::State::current(std::int64_t now) {
  if (seconds.empty() || seconds.back().number < now) {
    forget_before(now - kKept.count());
    if (!seconds.empty()) {  // it grows no more
      seconds.back().flows.shrink_to_fit();
      seconds.back().latencies.shrink_to_fit();
    }
    seconds.push_back({.number = now});
  }
  return seconds.back();
}

void TrafficMeter::State::forget_before(std::int64_t first) {
  while (!seconds.empty() && seconds.front().number < first) {
    for (const FlowRow& row : seconds.front().flows) {
      if (--row.flow->second.seconds == 0) flows.erase(row.flow);
    }
    for (const LatencyRow& row : seconds.front().latencies) {
      if (--row.service->second == 0) services.erase(row.service);
    }
    seconds.pop_front();
  }
}

void TrafficMeter::State::count_flow(Second& second, const Flow& flow, const Counts& counts) {
  const auto at = flows.try_emplace(flow).first;
  FlowEntry& entry = at->second;
  if (entry.second != second.number) {
    entry.second = second.number;
    entry.position = second.flows.size();
    ++entry.seconds;
    second.flows.push_back({at, {}});
  }
  second.flows[entry.position].counts += counts;
  totals[{flow.service, flow.from_zone, flow.to_zone}] += counts;
}

void TrafficMeter::State::count_latency(Second& second, const std::string& service,
                                        std::chrono::microseconds latency) {
  const auto at = services.try_emplace(service, 0).first;
  const LatencyBucket bucket = latency_bucket(latency);
  const auto row = std::find_if(
      second.latencies.begin(), second.latencies.end(),
      [&](const LatencyRow& each) { return each.service == at && each.bucket == bucket; });
  if (row != second.latencies.end()) {
    ++row->requests;
    return;
  }
  ++at->second;
  second.latencies.push_back({at, bucket, 1});
}

template <class Visit>
void TrafficMeter::State::for_window(std::chrono::seconds last, Visit visit) const {
  const std::int64_t now = second_now();
  const std::int64_t first = now - std::min(last, kKept).count();
  for (auto second = seconds.rbegin(); second != seconds.rend(); ++second) {
    if (second->number < first) break;
    if (second->number < now) visit(*second);
  }
}

TrafficMeter::TrafficMeter(const Clock& clock) : state_(std::make_unique<State>(clock)) {}
TrafficMeter::~TrafficMeter() = default;

void TrafficMeter::count(const Flow& flow, const Outcome& outcome) {
  const std::lock_guard guard(state_->mutex);
  Second& second = state_->current(state_->second_now());
  state_->count_flow(second, flow, to_counts(outcome));
  if (!outcome.failed) state_->count_latency(second, flow.service, outcome.latency);
}

std::vector<Seen> TrafficMeter::window(std::chrono::seconds last) const {
  const std::lock_guard guard(state_->mutex);
  std::map<const Flow*, Counts> sums;
  state_->for_window(last, [&](const Second& second) {
    for (const FlowRow& row : second.flows) sums[&row.flow->first] += row.counts;
  });
  std::vector<std::pair<const Flow*, Counts>> sorted(sums.begin(), sums.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return *a.first < *b.first; });
  std::vector<Seen> seen;
  seen.reserve(sorted.size());
  for (const auto& [flow, counts] : sorted) seen.push_back(to_seen(*flow, counts));
  return seen;
}

Latency TrafficMeter::latency(std::chrono::seconds last, const std::string& service) const {
  const std::lock_guard guard(state_->mutex);
  Buckets buckets{};
  std::uint64_t requests = 0;
  state_->for_window(last, [&](const Second& second) {
    for (const LatencyRow& row : second.latencies) {
      if (!service.empty() && row.service->first != service) continue;
      buckets[row.bucket] += row.requests;
      requests += row.requests;
    }
  });
  if (requests == 0) return {};
  return {.p50 = quantile(buckets, (requests + 1) / 2),
          .p99 = quantile(buckets, requests - requests / 100),
          .requests = requests};
}

std::vector<Seen> TrafficMeter::totals() const {
  const std::lock_guard guard(state_->mutex);
  std::vector<Seen> all;
  for (const auto& [key, counts] : state_->totals) {
    const auto& [service, from_zone, to_zone] = key;
    all.push_back(
        to_seen({.service = service, .from_zone = from_zone, .to_zone = to_zone}, counts));
  }
  return all;
}

}  // namespace proxima::traffic
