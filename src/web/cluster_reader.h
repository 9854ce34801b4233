// SPDX-License-Identifier: Apache-2.0
// The controller's caches as one Snapshot for the planner. Nothing is read from the API for it;
// a new Snapshot is made only when something has changed since the last one.
#pragma once

#include <atomic>
#include <cstdint>

#include "controller/cluster_caches.h"
#include "core/model/snapshot.h"

namespace proxima::web {

// All kinds at about one moment: a copy costs nothing and stays as it is.
struct ClusterRecords {
  kube::CacheSnapshot<kube::PodRecord> pods;
  kube::CacheSnapshot<kube::ServiceRecord> services;
  kube::CacheSnapshot<kube::NodeRecord> nodes;
  kube::CacheSnapshot<kube::NamespaceRecord> namespaces;
  kube::CacheSnapshot<kube::EndpointSliceRecord> slices;
};

model::SnapshotPtr snapshot_of(const ClusterRecords& records);

class ClusterReader {
 public:
  // Listens until it is destroyed; the caches must outlive it.
  explicit ClusterReader(controller::ClusterCaches& caches);
  ~ClusterReader();
  ClusterReader(const ClusterReader&) = delete;
  ClusterReader& operator=(const ClusterReader&) = delete;

  // Grows with every change of any object.
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  ClusterRecords records() const;
  std::string waiting_for() const { return caches_.waiting_for(); }

 private:
  controller::ClusterCaches& caches_;
  std::atomic<std::uint64_t> changes_{0};
  struct Subscriptions {
    std::size_t pods = 0, services = 0, nodes = 0, namespaces = 0, slices = 0;
  } subscriptions_;
};

}  // namespace proxima::web
