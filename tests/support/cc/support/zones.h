// SPDX-License-Identifier: Apache-2.0
// Clusters in Envoy's sense as one line, so that a table row shows the whole world:
//
//   "A3 B2+1d C0+4u D2x10"
//
// A zone (a capital letter) and its healthy hosts; "+1d" one degraded, "+4u" four unhealthy, "+1x"
// one excluded and unhealthy; "x10" at the end: each host of the zone weighs 10.
#pragma once

#include <cctype>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/host_set.h"
#include "core/policy/zone_aware.h"

namespace proxima::test {

struct Zone {
  char name = 'A';
  policy::HostCounts hosts;
  std::uint64_t weight = 1;  // of each host
};

inline std::vector<Zone> zones(std::string_view text) {
  std::vector<Zone> result;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    std::istringstream in(word);
    Zone zone;
    in >> zone.name >> zone.hosts.healthy;
    zone.hosts.total = zone.hosts.healthy;
    for (char mark = 0; in >> mark;) {
      std::uint64_t amount = 0;
      in >> amount;
      if (mark == 'x') {
        zone.weight = amount;
        continue;
      }
      in >> mark;
      zone.hosts.total += amount;
      if (mark == 'd') zone.hosts.degraded += amount;
      if (mark == 'x') zone.hosts.excluded += amount;
    }
    result.push_back(zone);
  }
  return result;
}

inline policy::HostCounts weighed(const policy::HostCounts& count, std::uint64_t weight) {
  return {count.total * weight, count.healthy * weight, count.degraded * weight,
          count.excluded * weight};
}

// A host set that owns its buckets: `own` first when it is there, the rest by name. '-' is nowhere.
class Hosts {
 public:
  Hosts(std::string_view text, char own) {
    const std::vector<Zone> all = zones(text);
    for (const Zone& zone : all) {
      if (zone.name == own) add(zone);
    }
    has_local_ = !buckets_.empty();
    for (char name = 'A'; name <= 'Z'; ++name) {
      for (const Zone& zone : all) {
        if (zone.name == name && name != own) add(zone);
      }
    }
  }
  policy::HostSet set() const { return {has_local_, buckets_, flat_}; }

 private:
  void add(const Zone& zone) {
    const policy::HostTally tally{zone.hosts, weighed(zone.hosts, zone.weight)};
    buckets_.push_back({policy::Locality(static_cast<std::uint32_t>(zone.name)), tally});
    flat_ += tally;
  }

  std::vector<policy::LocalityBucket> buckets_;
  policy::HostTally flat_;
  bool has_local_ = false;
};

// Both clusters by place: place 0 is zone A.
inline std::vector<policy::ZoneAwarePlace> places(std::string_view originating,
                                                  std::string_view upstream) {
  std::vector<policy::ZoneAwarePlace> result;
  const auto at = [&](char name) -> policy::ZoneAwarePlace& {
    const auto index = static_cast<std::size_t>(name - 'A');
    if (index >= result.size()) result.resize(index + 1);
    return result[index];
  };
  for (const Zone& zone : zones(originating)) {
    policy::ZoneAwarePlace& place = at(zone.name);
    place.originating_total = zone.hosts.total;
    place.originating_healthy = zone.hosts.healthy;
    place.originating_degraded = zone.hosts.degraded;
    place.originating_excluded = zone.hosts.excluded;
    place.originating_healthy_weight = zone.hosts.healthy * zone.weight;
  }
  for (const Zone& zone : zones(upstream)) {
    policy::ZoneAwarePlace& place = at(zone.name);
    const policy::HostCounts weight = weighed(zone.hosts, zone.weight);
    place.upstream_total = zone.hosts.total;
    place.upstream_healthy = zone.hosts.healthy;
    place.upstream_degraded = zone.hosts.degraded;
    place.upstream_excluded = zone.hosts.excluded;
    place.upstream_total_weight = weight.total;
    place.upstream_healthy_weight = weight.healthy;
    place.upstream_degraded_weight = weight.degraded;
    place.upstream_excluded_weight = weight.excluded;
  }
  return result;
}

inline std::optional<std::size_t> place_of(char own) {
  if (own == '-') return std::nullopt;
  return static_cast<std::size_t>(own - 'A');
}

}  // namespace proxima::test
