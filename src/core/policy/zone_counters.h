// SPDX-License-Identifier: Apache-2.0
// The counters of Envoy's balancers, by the names under which its users know them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proxima::policy {

enum class ZoneCounter : std::uint8_t {
  RecalculateZoneStructures,  // every regeneration
  ZoneClusterTooSmall,        // a regeneration with too few healthy hosts
  LocalClusterNotOk,          // a regeneration without own zone; a request in originating panic
  ZoneNumberDiffers,          // a regeneration refused by the rule of 2021
  RoutingAllDirectly,         // a request in state direct
  RoutingSampled,             // a request in state residual that stays
  RoutingCrossZone,           // a request in state residual that leaves
  NoCapacityLeft,             // such a request when no zone has capacity left; in addition
  HealthyPanic,               // a request on a priority in panic, also one that then fails
};
inline constexpr std::size_t kZoneCounters = 9;

// "lb_recalculate_zone_structures", …
std::string_view to_text(ZoneCounter counter);

class ZoneCounters {
 public:
  void add(ZoneCounter counter) { ++values_[static_cast<std::size_t>(counter)]; }
  std::uint64_t operator[](ZoneCounter counter) const {
    return values_[static_cast<std::size_t>(counter)];
  }
  ZoneCounters& operator+=(const ZoneCounters& other) {
    for (std::size_t i = 0; i < kZoneCounters; ++i) values_[i] += other.values_[i];
    return *this;
  }
  friend bool operator==(const ZoneCounters&, const ZoneCounters&) = default;

 private:
  std::array<std::uint64_t, kZoneCounters> values_{};
};

}  // namespace proxima::policy
