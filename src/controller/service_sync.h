// SPDX-License-Identifier: Apache-2.0
// Makes the slices of one Service what they should be: observes, plans, writes, and tells. Safe for
// concurrent use with different keys.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "controller/breakdown_book.h"
#include "controller/cluster_caches.h"
#include "controller/controller.h"
#include "controller/controller_metrics.h"
#include "controller/decision_book.h"
#include "controller/honored_conditions.h"
#include "controller/locked_planner.h"
#include "controller/slice_tracker.h"
#include "controller/trigger_times.h"
#include "controller/unseen_writes.h"
#include "controller/work_intake.h"
#include "kube/event.h"
#include "kube/object_client.h"

namespace proxima::controller {

// What syncs share; everything must outlive them.
struct SyncParts {
  ClusterCaches& caches;
  WorkIntake& intake;
  LockedPlanner& planner;
  SliceTracker& tracker;
  TriggerTimes& trigger_times;
  DecisionBook& book;
  HonoredConditions& honored;
  ControllerMetrics& metrics;
  const Clock& clock;
  const telemetry::Log& log;
};

// Where a sync writes to.
struct SyncTarget {
  kube::ObjectClient& client;
  net::Cancellation cancellation;
  Writes writes = Writes::Real;
  // Tells the Service's users; may be empty.
  std::function<void(const kube::ServiceRecord&, kube::EventType, const std::string& reason,
                     const std::string& message)>
      event;
};

struct SyncOutcome {
  SyncResult result = SyncResult::Success;
  std::string error;               // of Stale and Error
  bool conditions_failed = false;  // the status could not be written: try that again later
  bool wrote = false;              // slices, or tried to
  // Time alone changes the decision then; after an internal error, when to try again.
  std::optional<kube::Duration> again_after = {};
  bool broke_down = false;  // an internal error stopped it, which was told
};

class ServiceSync {
 public:
  ServiceSync(const SyncParts& parts, std::size_t max_endpoints_per_slice)
      : parts_(parts), max_endpoints_per_slice_(max_endpoints_per_slice), unseen_(parts.clock) {}

  // Whether the status of the Service should say something else about what nodes follow.
  bool is_status_due(const std::string& key, const DecisionEntry& entry) const;
  // An internal error costs the Service this update, and nobody else anything.
  SyncOutcome sync(const std::string& key, SyncTarget& target);
  // Another leader writes from now on: how long caches have been waited for does not count then.
  void end_term();
  // How long a Service has to wait whose last sync an internal error stopped.
  kube::Duration breakdown_wait(const std::string& key) const {
    return breakdowns_.wait_for(key, parts_.clock.steady_now());
  }

 private:
  struct Work;

  SyncOutcome sync_unguarded(const std::string& key, SyncTarget& target);
  SyncOutcome tell_breakdown(const std::string& key, const Breakdown& breakdown,
                             SyncTarget& target);
  void forget(const std::string& key);
  std::vector<SliceRef> slices_of(const kube::ObjectKey& service) const;
  // None: the cache is behind our own writes.
  std::optional<std::vector<SliceRef>> fresh_slices(const std::string& key);
  SyncOutcome reconcile(Work& work, SyncTarget& target);
  static bool has_writes(const Work& work);
  void pack(Work& work) const;
  void decide(Work& work);
  std::vector<std::string> write(Work& work, SlicePort& port);
  void tell(const Work& work, SyncTarget& target) const;
  bool publish_conditions(const Work& work, SyncTarget& target);
  void remember(Work& work, const std::string& error, std::vector<ShadowWrite> shadow);

  SyncParts parts_;
  std::size_t max_endpoints_per_slice_;
  std::atomic<bool> conditions_denied_{false};  // and that was said
  BreakdownBook breakdowns_;
  UnseenWrites unseen_;
};

// Several errors as upstream's event shows them: "[a, b]", each once; one stands alone.
std::string aggregate(const std::vector<std::string>& errors);

}  // namespace proxima::controller
