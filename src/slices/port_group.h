// SPDX-License-Identifier: Apache-2.0
// The Pods of a Service whose ports are equal, and the slices that have just these ports. Groups do
// not share slices.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "slices/endpoint_ports.h"
#include "slices/pod_endpoint.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

// An endpoint that there should be.
struct WantedEndpoint {
  PodSource source;
  bool placed = false;  // some slice has it
};

struct PortGroup {
  std::vector<WantedEndpoint> wanted;    // by the name of the Pod
  std::vector<const SliceRef*> present;  // by name; borrowed
};

class PortGroups {
 public:
  using Map = std::map<EndpointPorts, PortGroup, PortsLess>;

  explicit PortGroups(const kube::ServiceRecord& service)
      : service_(service), named_(has_named_target(service)) {}

  // The group of a Pod. It exists from then on, whether or not the Pod can be published: slices
  // with these ports are emptied, not given up.
  PortGroup& of(const kube::PodRecord& pod);
  // Null: no Pod has these ports.
  PortGroup* find(const EndpointPorts& ports);

  // In the order of their ports.
  Map& all() { return groups_; }

 private:
  const kube::ServiceRecord& service_;
  bool named_;
  Map groups_;
  // Pods of one workload have one answer.
  const kube::PodWorkload* last_workload_ = nullptr;
  PortGroup* last_ = nullptr;
  std::map<const kube::PodWorkload*, PortGroup*> by_workload_;
};

}  // namespace proxima::slices
