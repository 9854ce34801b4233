// SPDX-License-Identifier: Apache-2.0
#include "controller/work_intake.h"

#include <algorithm>

#include "controller/node_change.h"
#include "controller/pod_change.h"
#include "controller/slice_events.h"

namespace proxima::controller {
namespace {

// Slices that others change come in bursts, and so do nodes and clients: a Service is worked on for
// them at most so often.
constexpr kube::Duration kLeastDelay = std::chrono::seconds(1);

}  // namespace

WorkIntake::WorkIntake(ClusterCaches& caches, SliceTracker& tracker, kube::Duration batch_period)
    : caches_(caches), tracker_(tracker), batch_period_(batch_period) {
  subscriptions_[0] = caches.pods.subscribe([this](const auto& change) { on_pod(change); });
  subscriptions_[1] = caches.services.subscribe([this](const auto& change) { on_service(change); });
  subscriptions_[2] = caches.nodes.subscribe([this](const auto& change) { on_node(change); });
  subscriptions_[3] =
      caches.namespaces.subscribe([this](const auto& change) { on_namespace(change); });
  subscriptions_[4] = caches.slices.subscribe([this](const auto& change) { on_slice(change); });
}

WorkIntake::~WorkIntake() {
  caches_.pods.unsubscribe(subscriptions_[0]);
  caches_.services.unsubscribe(subscriptions_[1]);
  caches_.nodes.unsubscribe(subscriptions_[2]);
  caches_.namespaces.unsubscribe(subscriptions_[3]);
  caches_.slices.unsubscribe(subscriptions_[4]);
}

void WorkIntake::open(ServiceQueue& services, NodeQueue& nodes) {
  const std::lock_guard guard(mutex_);
  services_ = &services;
  nodes_ = &nodes;
  queue_locked(index_.services(), kube::Duration::zero());
}

void WorkIntake::close() {
  const std::lock_guard guard(mutex_);
  services_ = nullptr;
  nodes_ = nullptr;
  dependencies_.clear();
  awaiting_slices_.clear();
}

std::optional<ServiceIndex::Selection> WorkIntake::select(const kube::ObjectKey& service) const {
  const std::lock_guard guard(mutex_);
  return index_.find(service);
}

std::vector<PodRef> WorkIntake::clients(std::string_view workload) const {
  const std::string_view ns = workload.substr(0, workload.find('/'));
  const std::string_view owner = workload.substr(std::min(workload.size(), ns.size() + 1));
  const std::lock_guard guard(mutex_);
  return index_.workload_pods(ns, owner);
}

std::size_t WorkIntake::services() const {
  const std::lock_guard guard(mutex_);
  return services_count_;
}

void WorkIntake::depends(const std::string& service, ServiceDependencies::On on) {
  const std::lock_guard guard(mutex_);
  dependencies_.set(service, std::move(on));
}

void WorkIntake::await_slices(const std::string& service) {
  const std::lock_guard guard(mutex_);
  awaiting_slices_.insert(service);
}

void WorkIntake::forget(const std::string& service) {
  const std::lock_guard guard(mutex_);
  dependencies_.forget(service);
  awaiting_slices_.erase(service);
}

void WorkIntake::nodes_changed() {
  const std::lock_guard guard(mutex_);
  queue_locked(dependencies_.on_nodes(), std::max(kLeastDelay, batch_period_));
}

void WorkIntake::queue_locked(const ServiceKeys& services, kube::Duration delay) {
  if (services_ == nullptr) return;
  for (const std::string& service : services) {
    if (delay > kube::Duration::zero()) {
      services_->add_after(service, delay);
    } else {
      services_->add(service);
    }
  }
}

void WorkIntake::on_pod(const kube::Change<kube::PodRecord>& change) {
  const std::lock_guard guard(mutex_);
  queue_locked(index_.apply(change), batch_period_);
  if (!concerns_clients(change)) return;
  for (const PodRef& pod : {change.before, change.now}) {
    if (!pod || !pod->workload || !pod->workload->owner) continue;
    queue_locked(dependencies_.on_clients(pod->ns.view(), pod->workload->owner.view()),
                 std::max(kLeastDelay, batch_period_));
  }
}

void WorkIntake::on_service(const kube::Change<kube::ServiceRecord>& change) {
  const std::lock_guard guard(mutex_);
  index_.apply(change);
  if (!change.before) ++services_count_;
  if (!change.now) --services_count_;
  // Another Service by the same name, whose predecessor the caches never missed. Nobody waits for
  // writes that were made for that one: its slices may have gone with it, unseen.
  if (change.before && change.now && change.before->meta.uid != change.now->meta.uid)
    tracker_.forget_service(kube::to_text(change.key()));
  queue_locked({kube::to_text(change.key())}, kube::Duration::zero());
}

void WorkIntake::on_node(const kube::Change<kube::NodeRecord>& change) {
  const NodeEffect effect = effect_of(change);
  const std::lock_guard guard(mutex_);
  if (nodes_ == nullptr) return;
  // Pods wait for a Node that comes. One that changes or goes does so with others, or before its
  // Pods do: to wait a little saves writes.
  const kube::Duration delay = change.before ? std::max(kLeastDelay, batch_period_) : batch_period_;
  if (effect.endpoints)
    caches_.pods.snapshot().each_at({}, change.key().name, [&](const PodRef& pod) {
      queue_locked(index_.services_of(*pod), delay);
    });
  if (effect.capacity) nodes_->add(kAllNodes);
}

void WorkIntake::on_namespace(const kube::Change<kube::NamespaceRecord>& change) {
  const bool same = change.before && change.now &&
                    kube::same_labels(change.before->annotations, change.now->annotations);
  const std::lock_guard guard(mutex_);
  if (!same) queue_locked(index_.services_in(change.key().name), kube::Duration::zero());
}

void WorkIntake::on_slice(const kube::Change<kube::EndpointSliceRecord>& change) {
  const std::lock_guard guard(mutex_);
  queue_locked(services_to_sync(change, tracker_), std::max(kLeastDelay, batch_period_));
  if (!awaiting_slices_.empty()) queue_awaiting_locked(change.now ? *change.now : *change.before);
}

void WorkIntake::queue_awaiting_locked(const kube::EndpointSliceRecord& slice) {
  const auto found = awaiting_slices_.find(
      kube::to_text(kube::ObjectKey{slice.meta.ns.view(), slice.service.view()}));
  if (found == awaiting_slices_.end()) return;
  queue_locked({*found}, kube::Duration::zero());
  awaiting_slices_.erase(found);
}

}  // namespace proxima::controller
