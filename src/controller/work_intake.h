// SPDX-License-Identifier: Apache-2.0
// From what changes in the caches to the Services that want work, and when. It listens as long as
// it lives, so that whoever begins to lead finds everything in its place; keys go into a queue only
// while one is open. Safe for concurrent use.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "controller/cluster_caches.h"
#include "controller/service_dependencies.h"
#include "controller/service_index.h"
#include "controller/slice_tracker.h"
#include "kube/work_queue.h"

namespace proxima::controller {

using ServiceQueue = kube::WorkQueue<std::string>;  // of "shop/web"
// Holds one key at most: that the nodes are to be looked at.
using NodeQueue = kube::WorkQueue<std::string>;
inline constexpr const char* kAllNodes = "nodes";

class WorkIntake {
 public:
  // Everything must outlive it. `batch_period`: see ControllerOptions.
  WorkIntake(ClusterCaches& caches, SliceTracker& tracker, kube::Duration batch_period);
  ~WorkIntake();
  WorkIntake(const WorkIntake&) = delete;
  WorkIntake& operator=(const WorkIntake&) = delete;

  // Every Service wants work at first.
  void open(ServiceQueue& services, NodeQueue& nodes);
  // Nothing goes into the queues any more when it returns.
  void close();

  std::optional<ServiceIndex::Selection> select(const kube::ObjectKey& service) const;
  // Pods of "shop/Deployment/web".
  std::vector<PodRef> clients(std::string_view workload) const;
  std::size_t services() const;

  // What the last decision about a Service was made of.
  void depends(const std::string& service, ServiceDependencies::On on);
  // The cache is behind our own writes: the Service wants work as soon as its slices change.
  void await_slices(const std::string& service);
  void forget(const std::string& service);
  // The Services whose decisions were made of nodes want work soon.
  void nodes_changed();

 private:
  void on_pod(const kube::Change<kube::PodRecord>& change);
  void on_service(const kube::Change<kube::ServiceRecord>& change);
  void on_node(const kube::Change<kube::NodeRecord>& change);
  void on_namespace(const kube::Change<kube::NamespaceRecord>& change);
  void on_slice(const kube::Change<kube::EndpointSliceRecord>& change);
  void queue_locked(const ServiceKeys& services, kube::Duration delay);
  void queue_awaiting_locked(const kube::EndpointSliceRecord& slice);

  ClusterCaches& caches_;
  SliceTracker& tracker_;
  kube::Duration batch_period_;
  mutable std::mutex mutex_;
  ServiceIndex index_;
  std::size_t services_count_ = 0;
  ServiceDependencies dependencies_;
  std::set<std::string> awaiting_slices_;
  ServiceQueue* services_ = nullptr;  // null: nobody works
  NodeQueue* nodes_ = nullptr;
  // One of each cache, in the order of ClusterCaches.
  std::size_t subscriptions_[5] = {};
};

}  // namespace proxima::controller
