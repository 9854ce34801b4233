// SPDX-License-Identifier: Apache-2.0
// How upstream's controller reads the hints a Service asks for: what its metrics are labelled with.
// Pure.
#pragma once

#include <string_view>

#include "kube/service_record.h"

namespace proxima::controller {

// The annotation says Auto. Where the old key is there, the new one is not looked at.
bool has_topology_hints(const kube::ServiceRecord& service);
// spec.trafficDistribution where it is followed; empty otherwise.
std::string_view followed_traffic_distribution(const kube::ServiceRecord& service);

}  // namespace proxima::controller
