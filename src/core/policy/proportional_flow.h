// SPDX-License-Identifier: Apache-2.0
// Among the flows over the open arcs that load every source and sink alike, the one in which
// sources split over the sinks they share in the same proportions (the flow of maximum entropy). It
// is the only one that depends neither on the order of places nor on a choice between equals, and
// it moves smoothly with its input.
#pragma once

#include <cstdint>
#include <vector>

#include "core/policy/flow_network.h"

namespace proxima::policy {

class ProportionalFlow {
 public:
  // Replaces the flow. Row and column sums stay as they are.
  void solve(FlowNetwork& network);

 private:
  void close_forced(FlowNetwork& network);
  void close_unusable(FlowNetwork& network);
  void find_reach(const FlowNetwork& network);
  bool read_sums(const FlowNetwork& network);
  void fit(FlowNetwork& network);
  double spread(FlowNetwork& network);
  void scale_columns();
  void newton_step(const FlowNetwork& network);
  void build_curvature(const FlowNetwork& network);
  void solve_curvature();

  std::vector<std::uint32_t> source_degree_;  // open arcs
  std::vector<std::uint32_t> sink_degree_;
  std::vector<std::uint8_t> reach_;  // (sources + sinks)²: can flow be moved from one to the other
  std::vector<double> row_sum_;      // by source, of the flow on open arcs
  std::vector<double> column_sum_;   // by sink
  std::vector<double> fitted_sum_;   // by sink, of the flow as fitted so far
  std::vector<double> factor_;       // by sink: flow is row_sum × factor, scaled to the row
  std::vector<double> curvature_;    // sinks²
  std::vector<double> step_;         // by sink
};

}  // namespace proxima::policy
