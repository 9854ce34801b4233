// SPDX-License-Identifier: Apache-2.0
// The ports to what is known beside the Kubernetes API: what is measured of traffic, and of a lab
// which zones are switched off and where each node's proxy answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::web {

// Where traffic comes from that starts in none of the cluster's zones. Its way costs nothing that a
// policy could save, so only the endpoints that take it are shown with it.
inline constexpr std::string_view kOutsideZone = "outside";

// What clients of one zone or node saw of one endpoint of a service. A request is a connection
// where only connections can be counted.
struct SeenTraffic {
  std::string service;    // "shop/even"
  std::string from_zone;  // empty: the node has none; or kOutsideZone
  std::string to_zone;    // empty, as the Pod: nobody answered
  std::string pod;        // "shop/even-1", or only its name: then it is in the service's namespace
  std::string address;    // of the endpoint, where its Pod is not known
  std::uint64_t requests = 0;  // that were answered as they should be
  std::uint64_t retried = 0;   // of all, those that took more than one try
  std::uint64_t failed = 0;    // requests that were given up
  std::uint64_t bytes = 0;     // that clients read
};

struct SeenWindow {
  std::vector<SeenTraffic> rows;  // in any order
  double seconds = 0;             // that they were counted in; 0: nothing is measured so far
};

// Since it was first looked.
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

// Of the node proxies of a cluster, which are asked for what they counted.
struct AskedProxies {
  std::size_t nodes = 0;     // that the cluster has
  std::size_t asked = 0;     // of those; a large cluster's are not all asked
  std::size_t answered = 0;  // the last time
  std::string problem;       // why one of the others did not; empty: none
  bool operator==(const AskedProxies&) const = default;
};

// Over how long what is measured is shown.
struct TrafficSpans {
  std::chrono::seconds flows;   // rates and shares
  std::chrono::seconds settle;  // from a change until nothing is counted that was before it
};

// Asked once a second, from several threads.
class TrafficSource {
 public:
  virtual ~TrafficSource() = default;
  virtual TrafficSpans spans() const = 0;
  // Of the last whole seconds.
  virtual SeenWindow window(std::chrono::seconds last) const = 0;
  virtual TrafficTotals totals() const = 0;
  // Somebody looks at what is measured.
  virtual void wanted() const {}
  // None: nobody is asked.
  virtual std::optional<AskedProxies> asked() const { return std::nullopt; }
};

// A lab's.
class LiveSource : public TrafficSource {
 public:
  TrafficSpans spans() const override { return {.flows = kLabFlows, .settle = kLabSettle}; }
  virtual LabFacts facts() const = 0;

  static constexpr std::chrono::seconds kLabFlows{5};
  // From when a change is seen until every proxy has it and its requests are answered.
  static constexpr std::chrono::seconds kLabSettle{1};
};

}  // namespace proxima::web
