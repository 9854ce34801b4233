// SPDX-License-Identifier: Apache-2.0
// EndpointSlices for a cluster that came without any: what the EndpointSlice controller would write
// on its first pass over these Pods, Services and Nodes. Pure: equal snapshots give equal slices.
#pragma once

#include <string>
#include <vector>

#include "core/model/snapshot.h"

namespace proxima::model {

inline constexpr std::size_t kMaxDerivedEndpointsPerSlice = 100;

struct DerivedSlice {
  ServiceIndex service;
  IpFamily family = IpFamily::V4;
  std::string name;                 // "<service>-ipv4-1": not random, so that runs compare
  std::vector<EndpointPort> ports;  // by name, protocol, number
  std::vector<Endpoint> endpoints;  // by address, then Pod name
};

// A Pod that a Service selects, but that runs on a node nobody knows: the controller refuses to
// publish it, because its zone cannot be told.
struct SkippedPod {
  PodIndex pod;
  ServiceIndex service;
};

struct DerivedSlices {
  std::vector<DerivedSlice> slices;  // by service, IPv4 first
  std::vector<SkippedPod> skipped;
};

// `snapshot` has its nodes, namespaces, services and pods in place; its slices are not looked at.
// A Service without a selector, or of type ExternalName, gets none. One that selects nothing gets
// one empty slice for each of its families.
DerivedSlices derive_slices(const Snapshot& snapshot);

}  // namespace proxima::model
