// SPDX-License-Identifier: Apache-2.0
// The subsets of an Endpoints object in the one form that all ways to write the same have in
// common: addresses with the same ports and readiness stand together, each once. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kube/endpoints_record.h"
#include "slices/endpoint_ports.h"

namespace proxima::slices {

struct RepackedSubset {
  EndpointPorts ports;  // no two subsets have the same; none at all in at most one of them
  // By their text, then by the uid of their target. Borrowed.
  std::vector<const kube::EndpointsAddressRecord*> ready;
  std::vector<const kube::EndpointsAddressRecord*> not_ready;

  std::size_t size() const { return ready.size() + not_ready.size(); }
};

// An address that is ready in one place and not in another, for the same port, is not ready. Of an
// address that says different things in different places the first one counts.
std::vector<RepackedSubset> repack_subsets(std::span<const kube::EndpointsSubsetRecord> subsets);

}  // namespace proxima::slices
