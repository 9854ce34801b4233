// SPDX-License-Identifier: Apache-2.0
// From an Endpoints object that a user wrote for a Service without a selector to the EndpointSlices
// that say the same: one for each address family and list of ports. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kube/endpoints_record.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

// Who manages a mirrored slice; upstream's name, so that either can go on where the other stopped.
inline constexpr std::string_view kMirroringIdentity = "endpointslicemirroring-controller.k8s.io";

bool is_mirrored(const kube::EndpointSliceRecord& slice);

// Whether the object itself allows it: not when its label says so, and not when it is the lock of
// an old leader election.
bool may_mirror(const kube::EndpointsRecord& endpoints);

struct MirrorInput {
  const kube::EndpointsRecord& endpoints;
  // The mirrored slices of the Service of that name, by name.
  std::span<const SliceRef> slices;
  std::size_t max_endpoints_per_subset = 1000;
};

struct MirrorDraft {
  std::vector<FamilyDraft> families;  // IPv4, IPv6; slices of host names go with the first
  std::size_t endpoints_updated = 0;  // in slices that stay
  std::size_t addresses_invalid = 0;
  std::size_t addresses_skipped = 0;  // invalid, or more than a subset may have
};

MirrorDraft mirror_endpoints(const MirrorInput& input);

// What the owner of the Endpoints should know: events of the type Warning.
struct MirrorWarning {
  std::string_view reason;
  std::string message;
};
std::vector<MirrorWarning> mirror_warnings(const MirrorDraft& draft,
                                           std::size_t max_endpoints_per_subset);

}  // namespace proxima::slices
