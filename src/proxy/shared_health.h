// SPDX-License-Identifier: Apache-2.0
// The proxy's health for several threads: one writes, servers ask.
#pragma once

#include <mutex>

#include "base/clock.h"
#include "proxy/health_answer.h"

namespace proxima::proxy {

class SharedHealth {
 public:
  // The clock must outlive it.
  SharedHealth(std::chrono::nanoseconds patience, const Clock& clock)
      : clock_(clock), health_(patience) {}

  void queued(IpFamily family) {
    const std::lock_guard guard(mutex_);
    health_.queued(family, clock_.wall_now());
  }
  void updated(IpFamily family) {
    const std::lock_guard guard(mutex_);
    health_.updated(family, clock_.wall_now());
  }
  bool is_healthy() const {
    const std::lock_guard guard(mutex_);
    return health_.is_healthy(clock_.wall_now());
  }
  HealthAnswer livez() const {
    const std::lock_guard guard(mutex_);
    return health_.livez(clock_.wall_now());
  }
  HealthAnswer healthz(const kube::NodeRecord* node) const {
    const std::lock_guard guard(mutex_);
    return health_.healthz(clock_.wall_now(), node);
  }

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  ProxyHealth health_;
};

}  // namespace proxima::proxy
