// SPDX-License-Identifier: Apache-2.0
// One term of leadership of the mirroring controller: from the first look at everything to the end
// of the last worker. What only a leader may know ends with it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "base/guarded.h"
#include "controller/breakdown_book.h"
#include "controller/mirror_intake.h"
#include "controller/mirroring_controller.h"
#include "controller/mirroring_sync.h"
#include "controller/work_queue_metrics.h"
#include "kube/event_recorder.h"
#include "kube/fenced_api.h"

namespace proxima::controller {

// What terms work with; everything must outlive them.
struct MirroringTermParts {
  const MirroringOptions& options;
  const ControllerPorts& ports;
  MirroringCaches& caches;
  MirrorIntake& intake;
  MirroringMetrics& metrics;
  WorkQueueMetrics& queue_metrics;
  BreakdownBook& breakdowns;
};

class MirroringTerm {
 public:
  // Begins: starts its threads. Without a guard, writes need no leadership.
  MirroringTerm(const MirroringTermParts& parts, std::optional<kube::LeadershipGuard> guard);
  // Ends it, and waits.
  ~MirroringTerm();
  MirroringTerm(const MirroringTerm&) = delete;
  MirroringTerm& operator=(const MirroringTerm&) = delete;

  // Nothing new is begun; returns at once.
  void end();

  std::size_t queued() { return queue_.size(); }
  std::size_t waiting() const { return queue_.waiting(); }
  std::size_t queued_events() const { return events_ ? events_->queued() : 0; }
  void show_queue();

 private:
  struct Outcome {
    Status status = Unit{};
    std::optional<Breakdown> breakdown;  // an internal error: the status says nothing
  };
  MirroringSyncPorts sync_ports();
  void listen();
  void warn(const kube::EndpointsRecord& endpoints, const slices::MirrorWarning& warning);
  void work();
  void process(const std::string& key);
  // An internal error costs the Endpoints object this update, and nobody else anything.
  Outcome sync(const std::string& key);
  void tell_breakdown(const std::string& key, const Breakdown& breakdown);
  void finish(const std::string& key, const Status& status);

  const MirroringOptions& options_;
  const ControllerPorts& ports_;
  MirroringCaches& caches_;
  MirrorIntake& intake_;
  MirroringMetrics& metrics_;
  WorkQueueMetrics& queue_metrics_;
  BreakdownBook& breakdowns_;
  std::unique_ptr<kube::FencedApi> fenced_;  // null: there is no election
  kube::KubeApi& api_;
  kube::ObjectClient client_;
  std::unique_ptr<kube::EventRecorder> events_;  // null: a shadow tells nobody
  MirrorQueue queue_;
  MirroringSync sync_;
  net::Cancellation no_more_waiting_;
  net::Cancellation never_;  // a write that has begun is bounded by its own time
  std::atomic<bool> ending_{false};
  std::once_flag ended_;
  struct Subscriptions {
    std::size_t services = 0;
    std::size_t endpoints = 0;
  } subscriptions_;
  std::vector<Thread> workers_;
};

}  // namespace proxima::controller
