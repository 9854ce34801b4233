// SPDX-License-Identifier: Apache-2.0
// The split of a planned service in the form in which it is published.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/route/zone_split.h"

namespace proxima::plan {

// Empty for a policy that needs no fractions.
route::ZoneSplit zone_split(const ClusterPlan& plan, const ServicePlan& service);

// The same for any matrix over the places of the plan, of shares whose rows sum to `demand` or to
// nothing: then traffic is rejected. Places without demand have no row.
route::ZoneSplit to_zone_split(const ClusterPlan& plan, std::span<const double> matrix,
                               std::span<const double> demand);

// Of a service with `require-zone`, by place: 1 where the zone uses others, else 0.
std::vector<double> failover_totals(const ClusterPlan& plan, const ServicePlan& service);

// Whole thousandths of `total` that sum to the rounded whole: what is cut off goes to those who
// lost most.
std::vector<std::int64_t> whole_permille(std::span<const double> parts, double total);

}  // namespace proxima::plan
