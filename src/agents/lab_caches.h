// SPDX-License-Identifier: Apache-2.0
// Everything the agents see of a cluster, kept up to date by a thread a kind.
#pragma once

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/cache.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"
#include "net/cancellation.h"
#include "telemetry/log.h"

namespace proxima::agents {

class LabCaches {
 public:
  // Everything must outlive it. `on_change` is called by the caches' threads.
  LabCaches(kube::KubeApi& api, Clock& clock, const telemetry::Log& log, std::uint64_t seed)
      : api_(api), clock_(clock), log_(log), seed_(seed) {}
  ~LabCaches() { stop(); }
  LabCaches(const LabCaches&) = delete;
  LabCaches& operator=(const LabCaches&) = delete;

  void start(const std::function<void()>& on_change);
  void stop();
  bool have_synced() const {
    return pods.has_synced() && nodes.has_synced() && services.has_synced();
  }

  kube::Cache<kube::PodRecord> pods;
  kube::Cache<kube::NodeRecord> nodes;
  kube::Cache<kube::ServiceRecord> services;

 private:
  template <class Record>
  void reflect(const kube::Resource& resource, kube::Cache<Record>& cache,
               const std::function<void()>& on_change);

  kube::KubeApi& api_;
  Clock& clock_;
  const telemetry::Log& log_;
  std::uint64_t seed_;
  net::Cancellation stop_;
  std::vector<std::thread> threads_;
};

}  // namespace proxima::agents
