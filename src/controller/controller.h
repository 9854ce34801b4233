// SPDX-License-Identifier: Apache-2.0
// The EndpointSlice controller: keeps caches of a cluster, and while it leads makes the slices of
// every Service with a selector what they should be. Whoever does not lead has warm caches and
// writes nothing. Methods may be called from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "controller/cluster_caches.h"
#include "core/plan/cluster_plan.h"
#include "kube/api.h"
#include "kube/leadership.h"
#include "reports/node_report.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace proxima::controller {

// Shadow: plans and writes nothing at all, neither slices nor events nor conditions; what would be
// written is counted and shown.
enum class Writes { Real, Shadow };

struct ControllerOptions {
  std::size_t max_endpoints_per_slice = 100;  // 1…1000
  std::size_t concurrent_syncs = 5;           // 1…50
  // So long after the first of several changes of Pods a Service is worked on. 0: at once.
  std::chrono::nanoseconds updates_batch_period{0};
  // So long after a write of a Service's slices the next one comes; see WritePace.
  std::chrono::nanoseconds write_spacing = std::chrono::milliseconds(250);
  plan::PlanOptions plan;
  Writes writes = Writes::Real;
  std::string host;                                   // as events name it; may be empty
  std::chrono::milliseconds request_timeout{30'000};  // of each write
  std::uint64_t seed = 0;                             // of all jitter
};

// What it works with; everything must outlive it.
struct ControllerPorts {
  kube::KubeApi& api;
  Clock& clock;
  telemetry::MetricsRegistry& metrics;
  const telemetry::Log& log;
};

struct ControllerStatus {
  bool synced = false;            // every cache has seen everything that was there at first
  std::string waiting_for;        // the kinds that have not: "pods, nodes"
  bool leading = false;           // workers run, or will as soon as the caches are synced
  std::size_t queued = 0;         // Services that want work now
  std::size_t waiting = 0;        // Services that want work later
  std::size_t services = 0;       // that it knows
  std::size_t queued_events = 0;  // that are still to be written
};

class Controller {
 public:
  // An error: options out of range.
  static Result<std::unique_ptr<Controller>> create(ControllerOptions options,
                                                    const ControllerPorts& ports);
  // Stops it.
  virtual ~Controller() = default;

  // Begins to fill the caches; returns at once.
  virtual void start() = 0;
  // Begins to work as soon as the caches are synced; returns at once. With a guard, writes need its
  // leadership; without one there is no election.
  virtual void lead(std::optional<kube::LeadershipGuard> guard) = 0;
  // Ends the work, and forgets what only a leader may know; returns at once. What is under way is
  // finished or refused. wait_until_idle() waits for that.
  virtual void stop_leading() = 0;
  virtual void wait_until_idle() = 0;
  // Ends everything: what is under way is finished, what waits is dropped. Returns when no thread
  // is left. At most once in effect; start() does not bring it back.
  virtual void stop() = 0;
  // Whether the work that ended last took too long to finish, so that a write was cut off: it may
  // still reach the server, and leadership must not be given away meanwhile.
  virtual bool has_cut_writes() const = 0;

  // A report of a node proxy. Returns how many seconds the proxy should leave between two.
  virtual std::int64_t take_report(const reports::NodeReport& report) = 0;

  virtual ControllerStatus status() const = 0;
  // What it sees of the cluster, for others in this process to look at and listen to: nothing need
  // be watched and kept twice. Written by nobody else; whoever listens stops before it is gone.
  virtual ClusterCaches& caches() = 0;
  // Of /debug/plan: every Service's last decision and, in shadow, what would have been written. As
  // JSON; of one Service ("shop/web"), or of all when `service` is empty. NotFound: there is none.
  virtual Result<std::string> debug_plan(std::string_view service) const = 0;
};

}  // namespace proxima::controller
