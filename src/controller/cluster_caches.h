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
    std::string kinds;
    const auto add = [&kinds](bool synced, const char* kind) {
      if (!synced) kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
    };
    add(pods.has_synced(), "pods");
    add(services.has_synced(), "services");
    add(nodes.has_synced(), "nodes");
    add(namespaces.has_synced(), "namespaces");
    add(slices.has_synced(), "endpointslices");
    return kinds;
  }
};

}  // namespace proxima::controller
