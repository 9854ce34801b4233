// SPDX-License-Identifier: Apache-2.0
// From what clients saw to what is shown: where traffic stayed, how it flowed, and how much more
// than its fair part an endpoint got. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "traffic/traffic_meter.h"

namespace proxima::traffic {

// An endpoint that could have been chosen.
struct ReadyEndpoint {
  std::string service;
  std::string pod;
  std::string zone;
  std::string node;
};

struct MeasuredFlow {
  std::string from;  // zones
  std::string to;
  double share = 0;  // of all answered requests of the service
  double requests_per_second = 0;

  friend bool operator==(const MeasuredFlow&, const MeasuredFlow&) = default;
};

struct MeasuredEndpoint {
  std::string pod;
  std::string zone;
  std::string node;
  double load = 0;  // 1: its fair part
  double requests_per_second = 0;

  friend bool operator==(const MeasuredEndpoint&, const MeasuredEndpoint&) = default;
};

struct MeasuredService {
  std::string service;
  double local = 0;           // share of requests that were answered in their own zone
  double worst_overload = 0;  // of a ready endpoint, above its fair part; never negative
  double requests_per_second = 0;
  std::uint64_t requests = 0;  // in the window; 0: shares and loads mean nothing
  std::uint64_t retried = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t cross_zone_bytes = 0;       // of them between different zones: what costs money
  std::vector<MeasuredFlow> flows;          // by from and to; only those that were seen
  std::vector<MeasuredEndpoint> endpoints;  // by Pod: all ready ones, and others that answered
};

struct MeasuredTotals {
  double local = 0;
  double worst_overload = 0;  // the worst of any service
  double requests_per_second = 0;
  std::uint64_t requests = 0;
  std::uint64_t retried = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t cross_zone_bytes = 0;
};

// One for each service that was seen or has a ready endpoint, by name. `window` is what `seen` was
// gathered in; 0 gives rates of 0. An endpoint's fair part is that of one ready endpoint among all
// of its service.
std::vector<MeasuredService> measure_services(std::span<const Seen> seen,
                                              std::span<const ReadyEndpoint> ready,
                                              std::chrono::seconds window);
MeasuredTotals sum_measured(std::span<const MeasuredService> services);

// Requests a second by the zone of the client, those that failed too; by zone.
struct ZoneRate {
  std::string zone;
  double requests_per_second = 0;

  friend bool operator==(const ZoneRate&, const ZoneRate&) = default;
};
std::vector<ZoneRate> measure_zones(std::span<const Seen> seen, std::chrono::seconds window);

}  // namespace proxima::traffic
