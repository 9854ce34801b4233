// SPDX-License-Identifier: Apache-2.0
#include "conformance/zone_aware_question.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::HostTally;
using policy::Locality;

// Above this, the exact answer could need more than 128 bits.
constexpr std::uint64_t kWeightMax = 100'000'000'000;

Error refused(std::string message) { return {ErrorCode::InvalidInput, std::move(message)}; }

Error wrong(std::string_view field, std::string_view message) {
  return refused(std::string(message)).in(field);
}

struct Host {
  std::string zone;
  char state = 'H';
  std::uint64_t weight = 1;
};

// [zone, state, weight]; state H healthy, D degraded, U unhealthy, X excluded and unhealthy.
std::optional<Host> read_host(const json::value& value) {
  const json::array* fields = value.if_array();
  if (fields == nullptr || fields->size() != 3) return std::nullopt;
  const json::string* zone = (*fields)[0].if_string();
  const json::string* state = (*fields)[1].if_string();
  json::error_code failure;
  const auto weight = (*fields)[2].to_number<std::uint32_t>(failure);
  if (failure || weight == 0 || zone == nullptr || state == nullptr) return std::nullopt;
  if (state->size() != 1 || std::string_view("HDUX").find((*state)[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  return Host{std::string(*zone), (*state)[0], weight};
}

Result<std::vector<Host>> read_hosts(const json::object& question, std::string_view field) {
  const json::value* list = question.if_contains(field);
  if (list == nullptr || !list->is_array()) return refused("must be a list of hosts");
  std::vector<Host> hosts;
  std::uint64_t weight = 0;
  for (const json::value& value : list->get_array()) {
    std::optional<Host> host = read_host(value);
    if (!host) return refused("a host is [zone, \"H\"|\"D\"|\"U\"|\"X\", weight from 1]");
    weight += host->weight;
    hosts.push_back(std::move(*host));
  }
  if (weight > kWeightMax) return refused("weights sum to more than 100000000000");
  return hosts;
}

HostTally tally(const Host& host) {
  const auto counts = [&](std::uint64_t amount) {
    return policy::HostCounts{.total = amount,
                              .healthy = host.state == 'H' ? amount : 0,
                              .degraded = host.state == 'D' ? amount : 0,
                              .excluded = host.state == 'X' ? amount : 0};
  };
  return {counts(1), counts(host.weight)};
}

Locality locality_of(const std::vector<std::string>& zones, std::string_view zone) {
  const auto found = std::lower_bound(zones.begin(), zones.end(), zone);
  return Locality(static_cast<std::uint32_t>(found - zones.begin()));
}

OwnedHostSet host_set(const std::vector<Host>& hosts, const std::vector<std::string>& zones,
                      std::optional<std::uint32_t> own_zone) {
  std::map<Locality, HostTally> by_locality;
  OwnedHostSet set;
  for (const Host& host : hosts) {
    by_locality[locality_of(zones, host.zone)] += tally(host);
    set.flat += tally(host);
  }
  const auto own = own_zone ? by_locality.find(Locality(*own_zone)) : by_locality.end();
  set.has_local = own != by_locality.end();
  if (set.has_local) set.buckets.push_back({own->first, own->second});
  for (auto it = by_locality.begin(); it != by_locality.end(); ++it) {
    if (it != own) set.buckets.push_back({it->first, it->second});
  }
  return set;
}

std::vector<std::string> zone_names(const std::vector<Host>& originating,
                                    const std::vector<Host>& upstream,
                                    const std::optional<std::string>& own) {
  std::set<std::string> names;
  for (const Host& host : originating) names.insert(host.zone);
  for (const Host& host : upstream) names.insert(host.zone);
  if (own) names.insert(*own);
  return {names.begin(), names.end()};
}

// Numbers of the configuration; what is absent or null keeps its default.
class ConfigReader {
 public:
  explicit ConfigReader(const json::object& config) : config_(config) {}

  template <class Number>
  std::optional<Number> number(std::string_view field) {
    const json::value* value = config_.if_contains(field);
    if (value == nullptr || value->is_null()) return std::nullopt;
    json::error_code failure;
    const auto result = value->to_number<Number>(failure);
    if (!failure) return result;
    error_ = wrong(field, "must be a number within range");
    return std::nullopt;
  }
  std::optional<double> percent(std::string_view field) {
    const auto value = number<double>(field);
    if (!value || (*value >= 0 && *value <= 100)) return value;
    error_ = wrong(field, "must be from 0 to 100");
    return std::nullopt;
  }
  bool flag(std::string_view field) {
    const json::value* value = config_.if_contains(field);
    if (value == nullptr || value->is_null()) return false;
    if (!value->is_bool()) error_ = wrong(field, "must be true or false");
    return value->is_bool() && value->get_bool();
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const json::object& config_;
  std::optional<Error> error_;
};

}  // namespace

std::vector<policy::ZoneAwarePlace> ZoneAwareQuestion::places() const {
  std::vector<policy::ZoneAwarePlace> places(zones.size());
  for (const policy::LocalityBucket& bucket : originating.buckets) {
    policy::ZoneAwarePlace& place = places[bucket.locality.value()];
    place.originating_total = bucket.hosts.count.total;
    place.originating_healthy = bucket.hosts.count.healthy;
    place.originating_degraded = bucket.hosts.count.degraded;
    place.originating_excluded = bucket.hosts.count.excluded;
    place.originating_healthy_weight = bucket.hosts.weight.healthy;
  }
  for (const policy::LocalityBucket& bucket : upstream.buckets) {
    policy::ZoneAwarePlace& place = places[bucket.locality.value()];
    place.upstream_total = bucket.hosts.count.total;
    place.upstream_healthy = bucket.hosts.count.healthy;
    place.upstream_degraded = bucket.hosts.count.degraded;
    place.upstream_excluded = bucket.hosts.count.excluded;
    place.upstream_total_weight = bucket.hosts.weight.total;
    place.upstream_healthy_weight = bucket.hosts.weight.healthy;
    place.upstream_degraded_weight = bucket.hosts.weight.degraded;
    place.upstream_excluded_weight = bucket.hosts.weight.excluded;
  }
  return places;
}

Result<policy::ZoneAwareConfig> read_zone_aware_config(const json::object& config) {
  ConfigReader reader(config);
  policy::ZoneAwareConfig result;
  const auto keep = [](auto value, auto& field) {
    if (value) field = *value;
  };
  keep(reader.percent("routing_enabled"), result.routing_enabled_percent);
  keep(reader.number<std::uint64_t>("min_cluster_size"), result.min_cluster_size);
  result.fail_traffic_on_panic = reader.flag("fail_traffic_on_panic");
  result.force_local_zone_min_size = reader.number<std::uint32_t>("force_local_zone_min_size");
  keep(reader.percent("panic_threshold"), result.panic_threshold_percent);
  keep(reader.number<std::uint32_t>("overprovisioning_factor"), result.overprovisioning_factor);
  if (reader.error()) return *reader.error();
  return result;
}

Result<ZoneAwareQuestion> read_zone_aware_question(const json::object& question) {
  PROXIMA_TRY(const auto originating, read_hosts(question, "originating_hosts"),
              "originating_hosts");
  PROXIMA_TRY(const auto upstream, read_hosts(question, "upstream_hosts"), "upstream_hosts");
  const json::value* own_zone = question.if_contains("own_zone");
  const json::value* config = question.if_contains("config");
  std::optional<std::string> own;
  if (own_zone != nullptr && own_zone->is_string()) own = std::string(own_zone->get_string());
  if (own_zone != nullptr && !own && !own_zone->is_null()) return wrong("own_zone", "must be text");
  if (config == nullptr || !config->is_object()) return wrong("config", "must be an object");
  ZoneAwareQuestion result;
  PROXIMA_TRY(result.config, read_zone_aware_config(config->get_object()), "config");
  result.zones = zone_names(originating, upstream, own);
  if (own) result.own_zone = locality_of(result.zones, *own).value();
  result.originating = host_set(originating, result.zones, result.own_zone);
  result.upstream = host_set(upstream, result.zones, result.own_zone);
  return result;
}

ZoneAwareCase::ZoneAwareCase(const ZoneAwareQuestion& question, policy::LocalityBasis basis)
    : config_(question.config),
      originating_(question.originating.hosts()),
      upstream_(question.upstream.hosts()) {
  config_.basis = basis;
  const policy::PriorityHosts priority{upstream_.flat, config_.overprovisioning_factor,
                                       config_.weighted_priority_health};
  loads_ = policy::priority_loads({&priority, 1},
                                  policy::truncated_percent(config_.panic_threshold_percent));
  routing_ = policy::regenerate(originating_, upstream_, config_);
}

policy::ZoneAwareBalancer ZoneAwareCase::balancer() const {
  return {.upstream = {&upstream_, 1},
          .loads = loads_,
          .originating = &originating_,
          .routing = &routing_,
          .config = &config_};
}

}  // namespace proxima::conformance
