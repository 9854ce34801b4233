// SPDX-License-Identifier: Apache-2.0
// From Pods to EndpointSlices: the endpoints that a Service has in one address family, packed into
// the slices that are there with as few writes as possible. Hints are not its business. Pure.
#pragma once

#include <span>

#include "kube/cache_snapshot.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"
#include "slices/node_places.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

using PodRef = Ref<const kube::PodRecord>;

struct FamilyInput {
  const kube::ServiceRecord& service;
  kube::AddressType family = kube::AddressType::IPv4;
  std::span<const PodRef> pods;  // those that the Service selects, by name
  const kube::CacheSnapshot<kube::NodeRecord>& nodes;
  // Those of this family that this controller manages and nobody is deleting, by name.
  std::span<const SliceRef> slices;
  std::size_t max_endpoints_per_slice = 100;
  // Of `nodes`, for whoever packs many Services; null: they are looked for in `nodes`.
  const NodePlaces* places = nullptr;
};

FamilyDraft pack_family(const FamilyInput& input);

// Deletes and creates that can be one update become one. After the hints are set: what is created
// takes the name of what is deleted, and nothing else of it.
void recycle_slices(const kube::ServiceRecord& service, FamilyDraft& draft);

// The families that a Service's slices should have; IPv4 first.
std::vector<kube::AddressType> address_families(const kube::ServiceRecord& service);

}  // namespace proxima::slices
