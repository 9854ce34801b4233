// SPDX-License-Identifier: Apache-2.0
// Something that may not start at once, such as a server whose port is still taken: tried again
// until it starts or nobody wants it any more.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "net/cancellation.h"
#include "telemetry/log.h"

namespace proxima::cli {

class RetriedStart {
 public:
  static constexpr std::chrono::seconds kEvery{5};

  // Clock and log must outlive it.
  RetriedStart(Clock& clock, const telemetry::Log& log) : clock_(clock), log_(log) {}
  ~RetriedStart() { stop(); }
  RetriedStart(const RetriedStart&) = delete;
  RetriedStart& operator=(const RetriedStart&) = delete;

  // At most once. Tries now, and after a failure on a thread of its own; `what` is for the log.
  // What was started belongs to whoever gave `start`, and may be used after stop().
  void begin(std::string what, std::function<Status()> start);
  // Returns when nobody tries any more.
  void stop();

 private:
  Clock& clock_;
  const telemetry::Log& log_;
  net::Cancellation stopping_;
  std::thread thread_;
};

}  // namespace proxima::cli
