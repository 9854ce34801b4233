// SPDX-License-Identifier: Apache-2.0
// The ports that a Pod's endpoint has for a Service. Pods whose ports are equal share slices.
#pragma once

#include <map>
#include <vector>

#include "kube/endpoint_slice_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::slices {

// In the order of port_less: as ports are a set, equal sets are equal lists.
using EndpointPorts = std::vector<kube::EndpointPortRecord>;

bool port_less(const kube::EndpointPortRecord& a, const kube::EndpointPortRecord& b);
struct PortsLess {
  bool operator()(const EndpointPorts& a, const EndpointPorts& b) const;
};

// A name that none of the Pod's containers has leaves that one port out.
EndpointPorts resolve_ports(const kube::ServiceRecord& service, const kube::PodWorkload* workload);

// Whether the answer of resolve_ports depends on the Pod.
bool has_named_target(const kube::ServiceRecord& service);

}  // namespace proxima::slices
