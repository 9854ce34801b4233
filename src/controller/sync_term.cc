// SPDX-License-Identifier: Apache-2.0
#include "controller/sync_term.h"

#include <algorithm>

#include "kube/cancellable_wait.h"

namespace proxima::controller {
namespace {

using std::chrono::seconds;

constexpr std::size_t kRetriesMax = 15;
constexpr kube::Duration kRetryFirst = seconds(1);
constexpr kube::Duration kRetryCap = seconds(1000);
// A Service that failed too often is left alone for so long; upstream forgets it until it changes.
constexpr kube::Duration kHealAfter = kRetryCap;
constexpr kube::Duration kConditionsAgainAfter = seconds(60);
// Poll interval for conditions that depend on reports of nodes.
constexpr kube::Duration kStatusPoll = seconds(5);
// How long writes that are under way may take when the term ends.
constexpr kube::Duration kEndWithin = seconds(5);
constexpr const char* kEventComponent = "endpoint-slice-controller";

kube::ObjectReference reference_to(const kube::ServiceRecord& service) {
  return {.api_version = "v1",
          .kind = "Service",
          .ns = std::string(service.meta.ns.view()),
          .name = std::string(service.meta.name.view()),
          .uid = std::string(service.meta.uid.view()),
          .resource_version = std::to_string(service.meta.version),
          .field_path = {}};
}

std::unique_ptr<kube::EventRecorder> make_recorder(const TermParts& parts, kube::KubeApi& api) {
  if (parts.options.writes == Writes::Shadow) return nullptr;
  kube::EventRecorderOptions options;
  options.source = {kEventComponent, parts.options.host};
  options.seed = parts.options.seed;
  options.on_problem = [&log = parts.log](const std::string& message) {
    log.warning("An event could not be written", {{"problem", message}});
  };
  return std::make_unique<kube::EventRecorder>(std::move(options), api, parts.clock);
}

}  // namespace

SyncTerm::SyncTerm(const TermParts& parts, const std::optional<kube::LeadershipGuard>& guard)
    : parts_(parts),
      fenced_(guard ? std::optional<kube::FencedApi>(std::in_place, parts.api, *guard)
                    : std::nullopt),
      client_(fenced_ ? static_cast<kube::KubeApi&>(*fenced_) : parts.api,
              parts.options.request_timeout),
      events_(make_recorder(parts, fenced_ ? static_cast<kube::KubeApi&>(*fenced_) : parts.api)),
      services_(parts.clock, {.retry = {kRetryFirst, kRetryCap}}, &parts.queue_metrics),
      nodes_(parts.clock),
      pace_(parts.options.write_spacing) {}

SyncTerm::~SyncTerm() { end(); }

void SyncTerm::begin() {
  // Before the first Service: one that is decided without nodes would lose its hints.
  parts_.planner.use([&](slices::SlicePlanner& planner) {
    return planner.set_nodes(parts_.caches.nodes.snapshot());
  });
  parts_.intake.open(services_, nodes_);
}

void SyncTerm::start_workers() {
  for (std::size_t i = 0; i < parts_.options.concurrent_syncs; ++i)
    workers_.push_back(parts_.clock.start_thread([this] {
      while (const auto key = services_.take()) {
        work(*key);
        services_.done(*key);
      }
    }));
  workers_.push_back(parts_.clock.start_thread([this] {
    while (const auto key = nodes_.take()) {
      take_nodes_in();
      nodes_.done(*key);
    }
  }));
  if (parts_.options.writes == Writes::Shadow) return;
  workers_.push_back(parts_.clock.start_thread([this] {
    while (kube::wait_for(parts_.clock, kStatusPoll, ending_) == kube::Waited::Done)
      queue_due_statuses();
  }));
}

void SyncTerm::queue_due_statuses() {
  for (const auto& [key, entry] : parts_.book.all())
    if (parts_.sync.is_status_due(key, *entry)) services_.add(key);
}

void SyncTerm::end() {
  ending_.cancel();
  parts_.intake.close();
  services_.abandon();
  nodes_.abandon();
  if (!services_.drain(parts_.clock.steady_now() + kEndWithin)) {
    cut_writes_ = true;
    cancellation_.cancel();
  }
  for (Thread& worker : workers_) worker.join();
  workers_.clear();
  // It waits for events that are being written, and whoever destroys a term may hold a lock.
  std::unique_ptr<kube::EventRecorder> ended;
  {
    const std::lock_guard guard(events_mutex_);
    ended = std::move(events_);
  }
}

std::size_t SyncTerm::queued_events() const {
  const std::lock_guard guard(events_mutex_);
  return events_ ? events_->queued() : 0;
}

bool SyncTerm::work_once() {
  if (nodes_.size() > 0) {
    nodes_.done(*nodes_.take());
    take_nodes_in();
    return true;
  }
  if (services_.size() == 0) return false;
  const std::string key = *services_.take();
  work(key);
  services_.done(key);
  return true;
}

void SyncTerm::take_nodes_in() {
  const bool changed = parts_.planner.use([&](slices::SlicePlanner& planner) {
    return planner.set_nodes(parts_.caches.nodes.snapshot());
  });
  if (changed) parts_.intake.nodes_changed();
}

void SyncTerm::work(const std::string& key) {
  const kube::Duration wait =
      std::max(pace_.wait_for(key, parts_.clock.steady_now()), parts_.sync.breakdown_wait(key));
  if (wait > kube::Duration::zero()) {
    services_.add_after(key, wait);
    return;
  }
  SyncTarget target{client_, cancellation_, parts_.options.writes, {}};
  if (events_)
    target.event = [this](const kube::ServiceRecord& service, kube::EventType type,
                          const std::string& reason, const std::string& message) {
      events_->record(reference_to(service), type, reason, message);
    };
  const SyncOutcome outcome = parts_.sync.sync(key, target);
  parts_.metrics.synced(outcome.result);
  if (outcome.wrote) pace_.wrote(key, parts_.clock.steady_now());
  finish(key, outcome);
}

void SyncTerm::finish(const std::string& key, const SyncOutcome& outcome) {
  if (outcome.conditions_failed) services_.add_after(key, kConditionsAgainAfter);
  if (outcome.again_after) services_.add_after(key, *outcome.again_after);
  if (outcome.broke_down) return;
  if (outcome.result == SyncResult::Success) {
    services_.forget(key);
    return;
  }
  if (services_.num_requeues(key) < kRetriesMax) {
    parts_.log.warning("A sync failed and is tried again",
                       {{"service", key}, {"problem", outcome.error}});
    services_.add_rate_limited(key);
    return;
  }
  parts_.log.error("A sync failed too often", outcome.error, {{"service", key}});
  services_.forget(key);
  services_.add_after(key, kHealAfter);
}

void SyncTerm::show_queue() {
  parts_.queue_metrics.show(services_.depth(), services_.unfinished());
}

}  // namespace proxima::controller
