// SPDX-License-Identifier: Apache-2.0
// One term of work: from when this process may write until it may not any more. Has its own queue
// and workers, so that nothing of one term reaches into the next.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "controller/service_sync.h"
#include "controller/work_queue_metrics.h"
#include "controller/write_pace.h"
#include "kube/event_recorder.h"
#include "kube/fenced_api.h"

namespace proxima::controller {

struct TermParts {
  kube::KubeApi& api;
  Clock& clock;
  const telemetry::Log& log;
  WorkIntake& intake;
  LockedPlanner& planner;
  ClusterCaches& caches;
  ServiceSync& sync;
  DecisionBook& book;
  ControllerMetrics& metrics;
  WorkQueueMetrics& queue_metrics;
  const ControllerOptions& options;
};

class SyncTerm {
 public:
  // Everything must outlive it. Without a guard, writes need no leadership.
  SyncTerm(const TermParts& parts, const std::optional<kube::LeadershipGuard>& guard);
  // end()
  ~SyncTerm();
  SyncTerm(const SyncTerm&) = delete;
  SyncTerm& operator=(const SyncTerm&) = delete;

  // Queues the Services whose status should say something else about what nodes follow. What a
  // thread does every few seconds.
  void queue_due_statuses();

  // Takes the nodes in and queues every Service. The caches are synced.
  void begin();
  void start_workers();
  // What is being written is finished, within moments, and what waits is dropped; returns when no
  // worker is left.
  void end();
  // Whether a write took too long when it ended: see Controller::has_cut_writes().
  bool has_cut_writes() const { return cut_writes_; }

  // One key that wants work now; false: there is none. What workers do, for tests without threads.
  bool work_once();

  std::size_t queued() { return services_.size(); }
  std::size_t waiting() const { return services_.waiting(); }
  // Events that wait to be written. Also while the term ends in another thread.
  std::size_t queued_events() const;
  void show_queue();

 private:
  void work(const std::string& key);
  void finish(const std::string& key, const SyncOutcome& outcome);
  void take_nodes_in();

  TermParts parts_;
  std::optional<kube::FencedApi> fenced_;
  kube::ObjectClient client_;
  mutable std::mutex events_mutex_;              // of the pointer, when workers have ended
  std::unique_ptr<kube::EventRecorder> events_;  // null in shadow
  net::Cancellation cancellation_;
  ServiceQueue services_;
  NodeQueue nodes_;
  WritePace pace_;
  std::vector<Thread> workers_;
  net::Cancellation ending_;
  bool cut_writes_ = false;
};

}  // namespace proxima::controller
