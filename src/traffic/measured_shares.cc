// SPDX-License-Identifier: Apache-2.0
#include "traffic/measured_shares.h"

#include <algorithm>
#include <map>
#include <utility>

namespace proxima::traffic {

namespace {

struct EndpointCount {
  std::string zone;
  std::string node;
  std::uint64_t requests = 0;
  bool ready = false;
};

// What a service's rows add up to.
struct Sums {
  std::uint64_t requests = 0;
  std::uint64_t local = 0;
  std::uint64_t retried = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t cross_zone_bytes = 0;
  std::map<std::pair<std::string, std::string>, std::uint64_t> flows;
  std::map<std::string, EndpointCount> endpoints;
};

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double rate(std::uint64_t count, std::chrono::seconds window) {
  return window.count() <= 0 ? 0 : static_cast<double>(count) / static_cast<double>(window.count());
}

void add(Sums& sums, const Seen& seen) {
  sums.retried += seen.retried;
  sums.failed += seen.failed;
  sums.bytes += seen.bytes;
  sums.requests += seen.requests;
  if (seen.requests == 0) return;
  const bool local = seen.from_zone == seen.to_zone;
  if (local) sums.local += seen.requests;
  if (!local) sums.cross_zone_bytes += seen.bytes;
  sums.flows[{seen.from_zone, seen.to_zone}] += seen.requests;
  EndpointCount& endpoint = sums.endpoints[seen.pod];
  endpoint.requests += seen.requests;
  if (endpoint.ready) return;  // where it is said to be ready is where it is
  endpoint.zone = seen.to_zone;
  endpoint.node = seen.to_node;
}

std::map<std::string, Sums> sum_by_service(std::span<const Seen> seen,
                                           std::span<const ReadyEndpoint> ready) {
  std::map<std::string, Sums> services;
  for (const ReadyEndpoint& endpoint : ready) {
    services[endpoint.service].endpoints[endpoint.pod] = {
        .zone = endpoint.zone, .node = endpoint.node, .ready = true};
  }
  for (const Seen& row : seen) add(services[row.service], row);
  return services;
}

// Nobody is ready where the service has just lost its last endpoint: then no load has a measure.
double load_of(const EndpointCount& endpoint, const Sums& sums, std::size_t ready) {
  return ratio(endpoint.requests, sums.requests) * static_cast<double>(ready);
}

MeasuredService measure(const std::string& service, const Sums& sums, std::chrono::seconds window) {
  MeasuredService measured{.service = service,
                           .local = ratio(sums.local, sums.requests),
                           .requests_per_second = rate(sums.requests, window),
                           .requests = sums.requests,
                           .retried = sums.retried,
                           .failed = sums.failed,
                           .bytes = sums.bytes,
                           .cross_zone_bytes = sums.cross_zone_bytes};
  for (const auto& [zones, requests] : sums.flows) {
    measured.flows.push_back({.from = zones.first,
                              .to = zones.second,
                              .share = ratio(requests, sums.requests),
                              .requests_per_second = rate(requests, window)});
  }
  const auto ready = static_cast<std::size_t>(
      std::count_if(sums.endpoints.begin(), sums.endpoints.end(),
                    [](const auto& endpoint) { return endpoint.second.ready; }));
  for (const auto& [pod, endpoint] : sums.endpoints) {
    const double load = load_of(endpoint, sums, ready);
    if (endpoint.ready) measured.worst_overload = std::max(measured.worst_overload, load - 1);
    measured.endpoints.push_back({.pod = pod,
                                  .zone = endpoint.zone,
                                  .node = endpoint.node,
                                  .load = load,
                                  .requests_per_second = rate(endpoint.requests, window)});
  }
  return measured;
}

}  // namespace

std::vector<MeasuredService> measure_services(std::span<const Seen> seen,
                                              std::span<const ReadyEndpoint> ready,
                                              std::chrono::seconds window) {
  std::vector<MeasuredService> measured;
  for (const auto& [service, sums] : sum_by_service(seen, ready)) {
    measured.push_back(measure(service, sums, window));
  }
  return measured;
}

MeasuredTotals sum_measured(std::span<const MeasuredService> services) {
  MeasuredTotals totals;
  double local = 0;
  for (const MeasuredService& service : services) {
    local += service.local * static_cast<double>(service.requests);
    totals.worst_overload = std::max(totals.worst_overload, service.worst_overload);
    totals.requests_per_second += service.requests_per_second;
    totals.requests += service.requests;
    totals.retried += service.retried;
    totals.failed += service.failed;
    totals.bytes += service.bytes;
    totals.cross_zone_bytes += service.cross_zone_bytes;
  }
  if (totals.requests > 0) totals.local = local / static_cast<double>(totals.requests);
  return totals;
}

std::vector<ZoneRate> measure_zones(std::span<const Seen> seen, std::chrono::seconds window) {
  std::map<std::string, std::uint64_t> counts;
  for (const Seen& row : seen) counts[row.from_zone] += row.requests + row.failed;
  std::vector<ZoneRate> zones;
  for (const auto& [zone, count] : counts) {
    zones.push_back({.zone = zone, .requests_per_second = rate(count, window)});
  }
  return zones;
}

}  // namespace proxima::traffic
