// SPDX-License-Identifier: Apache-2.0
// The split of a service as it is published: from each zone that starts traffic, how many
// thousandths go to which zone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/plan/cluster_plan.h"

namespace proxima::report {

// Nodes and endpoints without a zone. No label value looks like this.
inline constexpr std::string_view kNoZone = "(no zone)";
std::string_view place_name(const model::Snapshot& snapshot, std::size_t place);

struct SplitShare {
  std::string_view zone;
  std::int64_t permille = 0;  // > 0
};
struct SplitRow {
  std::string_view zone;
  std::vector<SplitShare> to;  // by zone name; sums to 1000 unless traffic is rejected
};

// Rows by zone name; empty for a policy that needs no fractions.
std::vector<SplitRow> split_rows(const plan::ClusterPlan& plan, const plan::ServicePlan& service);

// Ready endpoints by place, in the order of places; only places that have any.
struct PlaceCount {
  std::string_view zone;
  std::size_t ready = 0;
};
std::vector<PlaceCount> ready_by_place(const model::Snapshot& snapshot, model::Range endpoints);

}  // namespace proxima::report
