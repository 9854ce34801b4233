// SPDX-License-Identifier: Apache-2.0
// A Service, its clients and the drafts of its slices, put into the engine's frame: what the engine
// plans is what is about to be published.
#pragma once

#include <span>
#include <vector>

#include "core/plan/service_frame.h"
#include "core/route/slice_routing.h"
#include "kube/cache_snapshot.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

struct ServiceInput {
  const kube::ServiceRecord& service;
  const kube::NamespaceRecord* ns;  // null: none known
  const kube::CacheSnapshot<kube::PodRecord>& pods;
  std::span<const Ref<const kube::PodRecord>> clients;
  std::span<const FamilyDraft> drafts;
};

// In upstream's order of walking: creates, updates, unchanged; IPv4 first. Gives the zones that
// endpoints stand in and no node does: the frame has to know them before it can plan.
std::vector<Text> put_into_frame(const ServiceInput& input, plan::ServiceFrame& frame);

// Whether what is published of the family has a zone hint on every ready endpoint.
bool is_hinted(const FamilyDraft& draft);
// Zones that fail over to others, according to the published slices of the family.
std::vector<route::FailingZone> failing_zones(const FamilyDraft& draft);

}  // namespace proxima::slices
