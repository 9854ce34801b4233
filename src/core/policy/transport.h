// SPDX-License-Identifier: Apache-2.0
// The transport problem behind `balanced`, for any prices: the cheapest way to serve the demand of
// every place without loading any place beyond a limit; among the cheapest the most even one; and
// of those the one that treats equals alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/policy/cheapest_flow.h"
#include "core/policy/flow_network.h"
#include "core/policy/level_loads.h"
#include "core/policy/proportional_flow.h"

namespace proxima::policy {

struct TransportProblem {
  std::span<const double> demand;    // by place: ≥ 0
  std::span<const double> capacity;  // by place: ≥ 0; 0 receives nothing
  std::span<const double> taken;     // by place: load that is there already
  double limit = 1;                  // load ≤ limit × capacity; may be infinite
  std::span<const double> price;     // row-major by place: ≥ 0
};

class TransportSolver {
 public:
  // Fills `split`, row-major by place. Demand plus what is taken must fit below the limits; what
  // rounding makes too much is served all the same.
  void solve(const TransportProblem& problem, std::span<double> split);

 private:
  void read_places(const TransportProblem& problem);
  void build_network(const TransportProblem& problem);
  void write_split(const TransportProblem& problem, std::span<double> split) const;
  std::uint32_t cheapest_sink(std::size_t source) const;

  FlowNetwork network_;
  CheapestFlow cheapest_;
  LevelLoads level_;
  ProportionalFlow proportional_;
  std::vector<std::uint32_t> source_place_;  // places with demand
  std::vector<std::uint32_t> sink_place_;    // places with capacity
  std::vector<double> supply_;               // by source
  std::vector<double> width_;                // by sink: capacity
  std::vector<double> filled_;               // by sink: taken
  std::vector<double> room_;                 // by sink
  std::vector<double> price_;                // by arc
};

}  // namespace proxima::policy
