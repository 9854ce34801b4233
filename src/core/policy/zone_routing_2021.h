// SPDX-License-Identifier: Apache-2.0
// Zone aware routing as Envoy had it until 1.27, which documents of that time describe: both
// clusters need the same number of zones, zones are matched by their position, and the own zone
// must have a healthy upstream host.
#pragma once

#include "core/policy/zone_routing.h"

namespace proxima::policy {

// Knows neither force_local_zone nor weights: `config.basis` and those settings are not looked at.
ZoneRouting regenerate_2021(const HostSet& originating, const HostSet& upstream,
                            const ZoneAwareConfig& config);

// As pick_zone, but every boundary between zones is one lower, and the lowest draw stays.
ZonePick pick_zone_2021(const ZoneRouting& routing, std::span<const std::uint64_t, 2> draws);

}  // namespace proxima::policy
