// SPDX-License-Identifier: Apache-2.0
// Traffic never leaves its zone, and is rejected where the zone has no ready endpoint; unless the
// Service grants a failover budget: then a zone with too few endpoints may use other zones, those
// of its region first, and only for so long. Own policy; KEP-2433 names it `RequireZone` and leaves
// it to the future.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"

namespace proxima::policy {

struct FailoverBudget {
  std::uint32_t min_endpoints = 1;            // a zone with fewer ready ones lacks endpoints
  std::optional<std::chrono::seconds> limit;  // none: as long as the zone lacks them
  friend bool operator==(const FailoverBudget&, const FailoverBudget&) = default;
};

// "min-endpoints=2,for=10m": one of the two or both, in any order; "none": no budget.
Result<std::optional<FailoverBudget>> parse_failover(std::string_view text);

struct RequireZoneInput {
  std::span<const std::uint32_t> ready;    // endpoints by place: the zones, then "no zone"
  std::span<const double> capacity;        // of these endpoints, by place
  std::span<const std::uint32_t> regions;  // by zone
  std::uint32_t no_region = 0;             // the number of zones whose region is unknown
  std::optional<FailoverBudget> failover;
};

enum class RequiredZone : std::uint8_t {
  Kept,       // its endpoints take all its traffic
  Rejected,   // it has none
  FailsOver,  // it lacks endpoints, and other zones help
  Spent,      // it lacks endpoints, and the budget is used up: its own endpoints alone, if any
};

// `since`: when the zone began to lack endpoints; `now`: none where nobody counts the time.
RequiredZone required_zone_state(const RequireZoneInput& input, std::size_t zone,
                                 std::optional<WallTime> since, std::optional<WallTime> now);

// Where the zone's traffic goes, in parts of 1 by place; all 0: it is rejected.
void require_zone_row(const RequireZoneInput& input, std::size_t zone, RequiredZone state,
                      std::span<double> row);

}  // namespace proxima::policy
