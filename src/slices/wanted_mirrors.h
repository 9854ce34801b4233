// SPDX-License-Identifier: Apache-2.0
// What the slices that mirror an Endpoints object shall hold, whatever slices there are.
#pragma once

#include <cstddef>
#include <vector>

#include "kube/endpoints_record.h"
#include "slices/endpoint_ports.h"

namespace proxima::slices {

// One slice.
struct WantedMirror {
  kube::AddressType family = kube::AddressType::IPv4;
  EndpointPorts ports;
  std::vector<kube::EndpointRecord> endpoints;  // ready ones first; never empty, each once
};

struct WantedMirrors {
  std::vector<WantedMirror> mirrors;  // no two have the same family and ports
  std::size_t addresses_invalid = 0;
  std::size_t addresses_skipped = 0;  // invalid, or more than a subset may have
};

WantedMirrors wanted_mirrors(const kube::EndpointsRecord& endpoints,
                             std::size_t max_endpoints_per_subset);

}  // namespace proxima::slices
