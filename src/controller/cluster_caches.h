// SPDX-License-Identifier: Apache-2.0
// Everything the controller sees of a cluster.
#pragma once

#include <string>

#include "controller/current_places.h"
#include "kube/cache.h"
#include "kube/endpoint_slice_record.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::controller {

struct ClusterCaches {
  kube::Cache<kube::PodRecord> pods;
  kube::Cache<kube::ServiceRecord> services;
  kube::Cache<kube::NodeRecord> nodes;
  kube::Cache<kube::NamespaceRecord> namespaces;
  kube::Cache<kube::EndpointSliceRecord> slices;
  CurrentPlaces places{nodes};

  // The kinds of which not everything was seen yet, "pods, nodes"; empty: all synced.
  std::string waiting_for() const {
    return kinds_without([](const auto& cache) { return cache.has_synced(); });
  }
  // The kinds that do not follow the API server at present; empty: all do.
  std::string behind(Clock::SteadyTime now) const {
    return kinds_without([now](const auto& cache) { return cache.freshness().is_current(now); });
  }

 private:
  template <class Condition>
  std::string kinds_without(const Condition& holds) const {
    std::string kinds;
    const auto add = [&kinds](bool held, const char* kind) {
      if (!held) kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
    };
    add(holds(pods), "pods");
    add(holds(services), "services");
    add(holds(nodes), "nodes");
    add(holds(namespaces), "namespaces");
    add(holds(slices), "endpointslices");
    return kinds;
  }
};

}  // namespace proxima::controller
