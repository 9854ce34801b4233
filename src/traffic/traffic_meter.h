// SPDX-License-Identifier: Apache-2.0
// What clients saw, second by second, for the last 15 minutes. Safe for concurrent use.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"

namespace proxima::traffic {

// Who asked whom. The right side is empty where no answer came.
struct Flow {
  std::string service;  // "shop/even"
  std::string from_zone;
  std::string from_node;
  std::string to_zone;
  std::string to_node;
  std::string pod;  // "shop/even-1", as the answer said

  friend auto operator<=>(const Flow&, const Flow&) = default;
};

// How one request ended.
struct Outcome {
  bool failed = false;                  // no right answer within the budget
  bool retried = false;                 // it took more than one try, whether it was answered or not
  std::uint64_t bytes = 0;              // read by the client in all tries
  std::chrono::microseconds latency{};  // from when it was due to the last byte of the answer
};

struct Seen {
  std::string service, from_zone, from_node, to_zone, to_node, pod;
  std::uint64_t requests = 0;  // that were answered
  std::uint64_t retried = 0;   // answered or failed ones that took more than one try
  std::uint64_t failed = 0;    // beside `requests`
  std::uint64_t bytes = 0;

  friend bool operator==(const Seen&, const Seen&) = default;
};

struct Latency {
  std::chrono::microseconds p50{};
  std::chrono::microseconds p99{};
  std::uint64_t requests = 0;  // answered ones; 0: the others mean nothing
};

class TrafficMeter {
 public:
  static constexpr std::chrono::seconds kKept{900};

  // `clock` outlives the meter.
  explicit TrafficMeter(const Clock& clock);
  ~TrafficMeter();
  TrafficMeter(const TrafficMeter&) = delete;
  TrafficMeter& operator=(const TrafficMeter&) = delete;

  void count(const Flow& flow, const Outcome& outcome);

  // What ended in the last so many whole seconds, up to kKept, without the second that is running:
  // requests / seconds is a rate. Sorted by Flow; rows without anything are left out.
  std::vector<Seen> window(std::chrono::seconds last) const;
  // Of answered requests in the same seconds; `service` empty: of all services.
  Latency latency(std::chrono::seconds last, const std::string& service) const;
  // Since the meter was made, with the running second, by service and zones; nodes and Pods are
  // empty, because they come and go without end.
  std::vector<Seen> totals() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::traffic
