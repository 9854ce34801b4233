// SPDX-License-Identifier: Apache-2.0
#include "conformance/envoy_vectors/zone_aware_world.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "conformance/envoy_vectors/vector_file.h"
#include "core/policy/zone_routing_2021.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

policy::HostCounts read_counts(const json::object& object) {
  return {.total = number(object, "total", 0),
          .healthy = number(object, "healthy", 0),
          .degraded = number(object, "degraded", 0),
          .excluded = number(object, "excluded", 0)};
}

policy::HostTally read_tally(const json::object& bucket) {
  const policy::HostCounts count = read_counts(bucket);
  policy::HostTally tally{count, count};
  if (const json::value* weights = field(bucket, "healthy_weights")) {
    const auto list = numbers(*weights);
    tally.weight.healthy = std::accumulate(list.begin(), list.end(), std::uint64_t{0});
  }
  return tally;
}

std::vector<std::string> zone_names(const json::object& entry) {
  std::set<std::string> names;
  const auto add = [&](const json::object& cluster) {
    for (const json::value& bucket : cluster.at("buckets").as_array()) {
      names.insert(text(bucket.at("zone")));
    }
  };
  for (const json::value& priority : entry.at("upstream").as_array()) add(priority.as_object());
  if (const json::value* originating = field(entry, "originating")) add(originating->as_object());
  return {names.begin(), names.end()};
}

std::string list_name(const policy::HostList& list) {
  constexpr const char* kViews[] = {"healthy", "degraded", "all"};
  const std::string view = kViews[static_cast<std::size_t>(list.view)];
  if (list.bucket) return "bucket/" + view + "/" + std::to_string(*list.bucket);
  return view + "/" + std::to_string(list.priority);
}

}  // namespace

ZoneAwareWorld::ZoneAwareWorld(const json::object& entry) : zones_(zone_names(entry)) {
  const json::object& config = entry.at("config").as_object();
  config_ = read_zone_aware_config(config).value();
  if (text(config.at("locality_basis")) == "HEALTHY_HOSTS_WEIGHT") {
    config_.basis = policy::LocalityBasis::HealthyHostsWeight;
  }
  std::vector<policy::PriorityHosts> priorities;
  for (const json::value& priority : entry.at("upstream").as_array()) {
    upstream_.push_back(read_hosts(priority.as_object()));
    priorities.push_back({upstream_.back().flat});
  }
  for (const OwnedHostSet& hosts : upstream_) upstream_views_.push_back(hosts.hosts());
  loads_ = policy::priority_loads(priorities,
                                  policy::truncated_percent(config_.panic_threshold_percent));
  if (const json::value* originating = field(entry, "originating")) {
    originating_ = read_hosts(originating->as_object());
    originating_view_ = originating_->hosts();
    routing_ = policy::regenerate(originating_view_, upstream_views_[0], config_);
  }
  if (const json::value* offsets = field(entry, "rr_offsets")) {
    for (const auto& offset : offsets->as_object()) {
      cursors_[std::string(offset.key())] = offset.value().to_number<std::uint64_t>();
    }
  }
}

OwnedHostSet ZoneAwareWorld::read_hosts(const json::object& cluster) const {
  OwnedHostSet hosts;
  hosts.has_local = cluster.at("has_local").as_bool();
  for (const json::value& value : cluster.at("buckets").as_array()) {
    const json::object& bucket = value.as_object();
    const auto zone = std::lower_bound(zones_.begin(), zones_.end(), text(bucket.at("zone")));
    hosts.buckets.push_back(
        {policy::Locality(static_cast<std::uint32_t>(zone - zones_.begin())), read_tally(bucket)});
  }
  const policy::HostCounts flat = read_counts(cluster.at("flat").as_object());
  hosts.flat = {flat, flat};
  return hosts;
}

policy::ZoneCounters ZoneAwareWorld::regeneration() const {
  return originating_ ? policy::regeneration_counters(routing_.reason) : policy::ZoneCounters{};
}

policy::ZoneRouting ZoneAwareWorld::routing_2021() const {
  return policy::regenerate_2021(originating_view_, upstream_views_[0], config_);
}

policy::RequestPick ZoneAwareWorld::pick(const policy::RequestDraws& draws) const {
  const policy::ZoneAwareBalancer balancer{
      .upstream = upstream_views_,
      .loads = loads_,
      .originating = originating_ ? &originating_view_ : nullptr,
      .routing = &routing_,
      .config = &config_};
  return policy::pick_hosts(balancer, draws);
}

const std::string& ZoneAwareWorld::zone_of(std::size_t bucket) const {
  return zones_[upstream_[0].buckets[bucket].locality.value()];
}

std::uint64_t ZoneAwareWorld::next_index(const policy::HostList& list) {
  return cursors_[list_name(list)]++ % policy::list_size(upstream_views_, list);
}

}  // namespace proxima::conformance
