// SPDX-License-Identifier: Apache-2.0
// One round of the node proxy after another: plans what the changes since the last round concern,
// and brings the data plane of every family in step with it. Knows no thread and never waits; for
// one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/cache.h"
#include "proxy/data_plane.h"
#include "proxy/event_sink.h"
#include "proxy/flow_table.h"
#include "proxy/health_check_ports.h"
#include "proxy/node_routes.h"
#include "proxy/proxy_metrics.h"
#include "proxy/route_counts.h"
#include "proxy/trigger_times.h"
#include "telemetry/log.h"

namespace proxima::proxy {

struct FamilyPlane {
  IpFamily family = IpFamily::V4;
  DataPlane& plane;
};

// Everything must outlive it.
struct RouteSyncPorts {
  const Clock& clock;
  ProxyMetrics& metrics;
  const telemetry::Log& log;
  FlowTable* flows = nullptr;  // null: nobody tracks flows here
  EventSink tell = {};         // may be empty
};

class RouteSync {
 public:
  // Every family that the options have rules for has one data plane.
  RouteSync(NodeRoutesOptions options, const std::vector<FamilyPlane>& planes,
            const RouteSyncPorts& ports);

  NodeRoutes& routes() { return routes_; }
  // A slice, as it goes into the routes as well: remembers when what happened to it began.
  void note_slice(const kube::Change<kube::EndpointSliceRecord>& change);

  struct Round {
    std::vector<IpFamily> written;  // are in step with their tables now
    std::vector<IpFamily> failed;   // are taken over anew next time
    // The kernel lacks something that they need, and what: tried again only with Everything.
    struct Unsupported {
      IpFamily family;
      std::string why;
    };
    std::vector<Unsupported> unsupported = {};
    // Ports with external addresses that are now found to be the node's own.
    std::vector<PortRoutesRef> refused = {};
    // Stale flows could not be looked for; the next round does.
    bool flows_left = false;
  };
  // A family that failed before is adopted, whatever changed; with Everything, what is there is
  // compared as well. Each family succeeds or fails on its own.
  Round run(SyncDepth depth);

  // As of the last round that was written. Null when the family is not routed.
  const HealthCheckPorts* health_checks(IpFamily family) const;
  // Services, "shop/web", with a plan that cannot be read; by name, each once.
  std::vector<std::string> unreadable_services() const;

 private:
  struct Family {
    IpFamily family;
    DataPlane& plane;
    bool in_step = false;
    bool counted = true;       // counts and health checks are those of its table
    std::string lacking = {};  // why the kernel cannot hold it; "": it can, as far as is known
    bool udp_changed = false;  // since flows were looked at
    TriggerTimes triggers;
    RouteCounts counts;
    HealthCheckPorts health_checks;
  };

  Family* find(IpFamily family);
  void tell_broken();
  void tell_failure(const RouteFailure& failure);
  enum class Outcome : std::uint8_t { Written, Failed, Unsupported };
  Outcome sync_guarded(Family& family, const RouteChanges& changes, SyncDepth depth, Round& round);
  Outcome sync(Family& family, const RouteChanges& changes, SyncDepth depth, Round& round);
  void count(Family& family, const RouteChanges& changes);
  Outcome write(Family& family, const RouteChanges& changes, SyncDepth depth);
  Outcome note_failure(Family& family, const Error& error);
  Status bring_in_step(Family& family, const RouteChanges& changes, SyncDepth depth);
  Status write_changes(Family& family, const RouteChanges& changes, SyncDepth depth);
  Status repair(Family& family);
  void clean_flows(Family& family);

  NodeRoutes routes_;
  RouteSyncPorts ports_;
  std::vector<Family> families_;
  BrokenServices broken_;  // of all families, as they were told
};

}  // namespace proxima::proxy
