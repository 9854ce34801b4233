// SPDX-License-Identifier: Apache-2.0
// Min-cost flow on a small network, and with it what every cheapest flow has in common, so that a
// later step can choose among them without paying more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/policy/flow_network.h"

namespace proxima::policy {

// What all cheapest flows agree on about a sink.
enum class SinkRole : std::uint8_t {
  Open,    // may be loaded more or less
  Full,    // its room is worth money: it stays full
  Unused,  // too expensive: it stays empty
};

class CheapestFlow {
 public:
  // Sends all excess of the network into room at the lowest total price (`price` by arc, ≥ 0).
  // Afterwards the open arcs are those that a cheapest flow may use. Total room must suffice; what
  // rounding leaves over stays in `excess`.
  void solve(FlowNetwork& network, std::span<const double> price);

  std::span<const SinkRole> roles() const { return role_; }

 private:
  void reduce_prices(const FlowNetwork& network, std::span<const double> price);
  void find_distances(const FlowNetwork& network);
  bool relax_forward(const FlowNetwork& network);
  bool relax_end(const FlowNetwork& network);
  bool relax_backward(const FlowNetwork& network);
  void open_shortest(FlowNetwork& network) const;
  double tolerance(const FlowNetwork& network) const;
  void assign_roles(const FlowNetwork& network);

  std::vector<double> price_;            // by arc, less the cheapest of its source
  std::vector<double> source_distance_;  // of the next unit, from any source with excess
  std::vector<double> sink_distance_;
  std::vector<std::uint8_t> in_use_;  // by sink: receives flow
  double end_distance_ = 0;           // what the next unit costs
  std::vector<SinkRole> role_;
};

}  // namespace proxima::policy
