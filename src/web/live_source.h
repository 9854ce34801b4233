// SPDX-License-Identifier: Apache-2.0
// The port to what a lab measures and knows beside the Kubernetes API: what clients saw of their
// requests, which zones are switched off, where each node's proxy answers. A cluster without a lab
// has none of it, and the page then shows nothing measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace proxima::web {

// What clients of one node saw of one Pod behind one service.
struct SeenTraffic {
  std::string service;  // "shop/even"
  std::string from_zone;
  std::string from_node;
  std::string to_zone;  // empty, as node and Pod: nobody answered
  std::string to_node;
  std::string pod;  // "shop/even-1", or only its name: then it is in the service's namespace
  std::uint64_t requests = 0;  // that were answered as they should be
  std::uint64_t retried = 0;   // of all, those that took more than one try
  std::uint64_t failed = 0;    // requests that were given up
  std::uint64_t bytes = 0;     // that clients read
};

// Since the lab was started.
struct TrafficTotals {
  std::uint64_t requests = 0;
  std::uint64_t retried = 0;
  std::uint64_t failed = 0;
};

struct ZoneFacts {
  std::string name;
  bool failed = false;
  double demand = 0;  // share of all requests that start here
};

struct NodeFacts {
  std::string name;
  bool power = true;
  std::string status_url;  // of its proxy, as this process reaches it; empty: none
};

struct LabFacts {
  bool simulated = false;  // there are no machines: nothing is ever measured
  std::vector<ZoneFacts> zones;
  std::vector<NodeFacts> nodes;
};

// Asked once a second and for every node's routes, from several threads.
class LiveSource {
 public:
  virtual ~LiveSource() = default;
  // Of the last whole seconds; rows in any order.
  virtual std::vector<SeenTraffic> window(std::chrono::seconds last) const = 0;
  virtual TrafficTotals totals() const = 0;
  virtual LabFacts facts() const = 0;
};

}  // namespace proxima::web
