// SPDX-License-Identifier: Apache-2.0
// A `zone-aware` question: two lists of hosts and a configuration, as JSON and as what the policy
// takes.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/policy/zone_aware.h"
#include "core/policy/zone_aware_request.h"

namespace proxima::conformance {

// A host set that owns its buckets.
struct OwnedHostSet {
  bool has_local = false;
  std::vector<policy::LocalityBucket> buckets;
  policy::HostTally flat;

  policy::HostSet hosts() const { return {has_local, buckets, flat}; }
};

struct ZoneAwareQuestion {
  std::vector<std::string> zones;  // by Locality, ascending
  std::optional<std::uint32_t> own_zone;
  OwnedHostSet originating;
  OwnedHostSet upstream;
  policy::ZoneAwareConfig config;  // its basis is not part of a question: both are answered

  const std::string& zone_of(const policy::LocalityBucket& bucket) const {
    return zones[bucket.locality.value()];
  }
  // The same by place, as the planner asks.
  std::vector<policy::ZoneAwarePlace> places() const;
};

Result<ZoneAwareQuestion> read_zone_aware_question(const boost::json::object& question);

// The fields of a configuration, each optional.
Result<policy::ZoneAwareConfig> read_zone_aware_config(const boost::json::object& config);

// A question worked out for one basis.
class ZoneAwareCase {
 public:
  // `question` must outlive the case.
  ZoneAwareCase(const ZoneAwareQuestion& question, policy::LocalityBasis basis);
  ZoneAwareCase(const ZoneAwareCase&) = delete;
  ZoneAwareCase& operator=(const ZoneAwareCase&) = delete;

  const policy::ZoneRouting& routing() const { return routing_; }
  policy::ZoneAwareBalancer balancer() const;
  const policy::ZoneAwareConfig& config() const { return config_; }

 private:
  policy::ZoneAwareConfig config_;
  policy::HostSet originating_;
  policy::HostSet upstream_;
  policy::PriorityLoads loads_;
  policy::ZoneRouting routing_;
};

}  // namespace proxima::conformance
