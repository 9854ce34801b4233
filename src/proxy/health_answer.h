// SPDX-License-Identifier: Apache-2.0
// What health checks are answered: those of load balancers on a Service's own port, and those of
// the proxy itself. Bodies and headers are kube-proxy's, because other programs read them.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ip_address.h"
#include "base/timestamp.h"
#include "kube/node_record.h"

namespace proxima::proxy {

struct HealthAnswer {
  int status = 503;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// On the health check port of a Service, for any path. `local_ready` as PortRoutes counts it: a
// balancer should stop sending before the last endpoint ends, so ending ones do not count.
HealthAnswer service_health_answer(std::string_view ns, std::string_view service,
                                   std::uint32_t local_ready, bool proxy_healthy);

// Whether updates are carried out in time. Not for concurrent use.
class ProxyHealth {
 public:
  explicit ProxyHealth(std::chrono::nanoseconds patience) : patience_(patience) {}

  // Something is to be written. Only the first after the last success starts the clock.
  void queued(IpFamily family, WallTime now) { oldest_queued_.try_emplace(family, now); }
  // All that was queued is written.
  void updated(IpFamily family, WallTime now);
  // A family that has never been written is still starting up, and is healthy.
  bool is_healthy(WallTime now) const;

  HealthAnswer livez(WallTime now) const;
  // `node`: the own node; null when it is not known. One that is about to go is not eligible.
  HealthAnswer healthz(WallTime now, const kube::NodeRecord* node) const;

 private:
  bool is_late(IpFamily family, WallTime now) const;
  std::string body(WallTime now, bool answers_ok, std::optional<bool> node_eligible) const;

  std::chrono::nanoseconds patience_;
  std::map<IpFamily, WallTime> last_updated_;
  std::map<IpFamily, WallTime> oldest_queued_;
};

}  // namespace proxima::proxy
