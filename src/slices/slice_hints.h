// SPDX-License-Identifier: Apache-2.0
// Puts planned hints, and what hints cannot say, on the drafts of a family, and turns slices that
// would have been left alone into updates where they say something else.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/route/slice_routing.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

enum class HintRule {
  None,  // every hint goes, wherever it is
  // Ready endpoints get exactly what is planned. Others count for nothing, so that a Pod that goes
  // down does not make its slice a write: what they have stays (Own), or goes when their slice is
  // written anyway (Allotted).
  Own,
  Allotted,
};

struct HintOrder {
  HintRule rule = HintRule::None;
  // By endpoint of the draft's creates, updates and unchanged slices, in this order.
  std::span<const plan::EndpointHint> hints;
  std::span<const std::uint32_t> shared_zones;  // see plan::EndpointHint::shared
  std::span<const Text> zones;                  // names, by ZoneIndex
  // Every ready endpoint is for its own Node, also one that nobody knows any more: the plan cannot
  // say that, since it knows Nodes by their index.
  bool own_nodes = false;
  // What slices say besides (core/route/slice_routing): of `count` endpoints from `first` on,
  // counted as `hints` are. Null: nothing.
  std::function<route::SliceRouting(std::size_t first, std::size_t count)> routing = nullptr;
};

void write_hints(const HintOrder& order, FamilyDraft& draft);

}  // namespace proxima::slices
