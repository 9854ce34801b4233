// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_counters.h"

namespace proxima::policy {
namespace {

constexpr std::string_view kNames[] = {
    "lb_recalculate_zone_structures", "lb_zone_cluster_too_small",    "lb_local_cluster_not_ok",
    "lb_zone_number_differs",         "lb_zone_routing_all_directly", "lb_zone_routing_sampled",
    "lb_zone_routing_cross_zone",     "lb_zone_no_capacity_left",     "lb_healthy_panic",
};
static_assert(std::size(kNames) == kZoneCounters);

}  // namespace

std::string_view to_text(ZoneCounter counter) { return kNames[static_cast<std::size_t>(counter)]; }

}  // namespace proxima::policy
