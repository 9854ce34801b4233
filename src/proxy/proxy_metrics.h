// SPDX-License-Identifier: Apache-2.0
// The node proxy's metrics: kube-proxy's under kube-proxy's names, labels and buckets, and our own
// about why traffic goes where it goes. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/ip_address.h"
#include "base/timestamp.h"
#include "proxy/route_counts.h"
#include "telemetry/metrics.h"

namespace proxima::proxy {

// Whether a write followed the changes, or looked at everything that is there.
enum class SyncDepth : std::uint8_t { Changes, Everything };

class ProxyMetrics {
 public:
  using Duration = std::chrono::nanoseconds;

  // Declares them all: once a registry, which must outlive it.
  explicit ProxyMetrics(telemetry::MetricsRegistry& registry);
  ~ProxyMetrics();
  ProxyMetrics(const ProxyMetrics&) = delete;
  ProxyMetrics& operator=(const ProxyMetrics&) = delete;

  // A write is wanted.
  void queued(IpFamily family, WallTime now);
  // One is over, well or not.
  void wrote(IpFamily family, SyncDepth depth, Duration duration);
  void succeeded(IpFamily family, WallTime now);
  void failed(IpFamily family);
  // The kernel lacks what the family needs.
  void unsupported(IpFamily family);
  // Of one change, from its beginning in the cluster.
  void programmed(IpFamily family, Duration latency);
  // How many things strangers had changed.
  void repaired(IpFamily family, std::size_t things);
  void repair_failed(IpFamily family);
  void changed(IpFamily family, const RouteChanges& changes);
  // An internal error stopped the planning of a Service's routes, for the first time or for another
  // reason than before.
  void broke_down();
  // How many Services keep old routes for that.
  void show_broken(std::size_t services);

  void service_changed();
  void slice_changed();
  void pending(std::size_t services, std::size_t slices);

  void cleaned_flows(IpFamily family, Duration duration, std::size_t forgotten);

  enum class Probe : std::uint8_t { Healthz, Livez };
  void probed(Probe probe, int status);

  // Makes the gauges what the counts say. For one thread.
  void show(IpFamily family, const RouteCounts& counts);

 private:
  struct Upstream;
  struct Own;
  std::unique_ptr<Upstream> upstream_;
  std::unique_ptr<Own> own_;
};

}  // namespace proxima::proxy
