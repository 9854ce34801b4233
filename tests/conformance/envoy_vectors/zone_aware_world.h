// SPDX-License-Identifier: Apache-2.0
// An entry of kind `zone_aware`: clusters whose buckets and flat lists the recorded tests sometimes
// make disagree, several priorities, and round-robin cursors left over from earlier requests.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/zone_aware_question.h"

namespace proxima::conformance {

class ZoneAwareWorld {
 public:
  explicit ZoneAwareWorld(const boost::json::object& entry);
  ZoneAwareWorld(const ZoneAwareWorld&) = delete;
  ZoneAwareWorld& operator=(const ZoneAwareWorld&) = delete;

  const policy::ZoneRouting& routing() const { return routing_; }
  // Of one regeneration, if there is an originating cluster.
  policy::ZoneCounters regeneration() const;
  policy::ZoneRouting routing_2021() const;
  policy::RequestPick pick(const policy::RequestDraws& draws) const;
  const std::string& zone_of(std::size_t bucket) const;
  // Position of the host that round robin takes from a list.
  std::uint64_t next_index(const policy::HostList& list);

 private:
  OwnedHostSet read_hosts(const boost::json::object& cluster) const;

  std::vector<std::string> zones_;  // by Locality
  std::vector<OwnedHostSet> upstream_;
  std::vector<policy::HostSet> upstream_views_;
  std::optional<OwnedHostSet> originating_;
  policy::HostSet originating_view_;
  policy::ZoneAwareConfig config_;
  policy::PriorityLoads loads_;
  policy::ZoneRouting routing_;
  std::map<std::string, std::uint64_t> cursors_;  // by list, as the entries name them
};

}  // namespace proxima::conformance
