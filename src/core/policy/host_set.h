// SPDX-License-Identifier: Apache-2.0
// Hosts as Envoy's balancers see them: counted by health, in buckets by locality. The arithmetic
// needs numbers only, so no list of hosts appears here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/strong.h"
#include "base/whole_number.h"
#include "core/policy/zone_aware_config.h"

namespace proxima::policy {

// Identity of a (region, zone, sub_zone): a number that the caller gives, ascending as the names
// are.
using Locality = Strong<struct LocalityTag, std::uint32_t>;

// Hosts of one list by state, or the sums of their weights.
struct HostCounts {
  std::uint64_t total = 0;  // of any health, excluded ones too
  std::uint64_t healthy = 0;
  std::uint64_t degraded = 0;
  std::uint64_t excluded = 0;  // warming up or draining: left out of denominators of health

  HostCounts& operator+=(const HostCounts& other) {
    total = saturating_sum(total, other.total);
    healthy = saturating_sum(healthy, other.healthy);
    degraded = saturating_sum(degraded, other.degraded);
    excluded = saturating_sum(excluded, other.excluded);
    return *this;
  }
  friend bool operator==(const HostCounts&, const HostCounts&) = default;
};

struct HostTally {
  HostCounts count;
  HostCounts weight;  // of the same hosts; a host weighs at least 1

  HostTally& operator+=(const HostTally& other) {
    count += other.count;
    weight += other.weight;
    return *this;
  }
  const HostCounts& in(LocalityBasis basis) const {
    return basis == LocalityBasis::HealthyHostsNum ? count : weight;
  }
};

// Which hosts of a list a request may use.
enum class HostView : std::uint8_t { Healthy, Degraded, All };
inline constexpr std::size_t kHostViews = 3;

inline std::uint64_t members(const HostCounts& hosts, HostView view) {
  if (view == HostView::Healthy) return hosts.healthy;
  return view == HostView::Degraded ? hosts.degraded : hosts.total;
}

// A locality that has a host of some health.
struct LocalityBucket {
  Locality locality;
  HostTally hosts;
};

// One priority of a cluster.
struct HostSet {
  bool has_local = false;                   // bucket 0 is the proxy's own locality
  std::span<const LocalityBucket> buckets;  // the own one first, the rest ascending by locality
  HostTally flat;                           // all buckets together
};

}  // namespace proxima::policy
