// SPDX-License-Identifier: Apache-2.0
// How many Pods a service needs, and where, for policy `auto` to publish hints that keep traffic in
// its zone. Found by planning with endpoints that are not there, a bounded number of times.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plan/compare.h"
#include "core/plan/service_rehearsal.h"

namespace proxima::plan {

enum class PodPlacement : std::uint8_t {
  Spread,  // the same number in every zone, as a topology spread constraint of maxSkew 1 gives
  ByZone,  // in proportion to the CPU of the zones, for example with a Deployment for each zone
};

struct ZonePods {
  model::ZoneIndex zone;
  std::uint32_t pods = 0;
  std::uint32_t more = 0;  // of them, beyond those that are there; only for ByZone
};

struct PodAdvice {
  PodPlacement placement = PodPlacement::Spread;
  std::uint32_t pods = 0;       // altogether
  std::uint32_t more = 0;       // than are ready now
  std::vector<ZonePods> zones;  // by name; zones with ready nodes, or with Pods
  Outcome outcome;              // under `auto`, predicted
};

// `as_auto` asks for `auto`. Empty when `auto` works well with the endpoints that are there, or
// when no number of Pods makes it work: nodes without zones, a gate that is off.
std::vector<PodAdvice> pods_for_auto(ServiceRehearsal& rehearsal, const ServiceWords& as_auto,
                                     std::span<const model::Endpoint> endpoints, const Outcome& now,
                                     IpFamily family);

}  // namespace proxima::plan
