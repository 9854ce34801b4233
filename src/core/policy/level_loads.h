// SPDX-License-Identifier: Apache-2.0
// Among the flows over the open arcs of a network, one that loads the sinks as evenly as possible:
// the highest load (relative to the sink's width) is as low as it can be, then the next highest,
// and so on down.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/policy/cheapest_flow.h"
#include "core/policy/flow_network.h"

namespace proxima::policy {

struct LevelInput {
  std::span<const double> supply;  // by source: all of it is sent
  std::span<const double> width;   // by sink: > 0
  std::span<const double> filled;  // by sink: load that is there already
  std::span<const double> room;    // by sink: what a Full one takes
  std::span<const SinkRole> role;  // by sink
};

class LevelLoads {
 public:
  // Replaces the flow. Arcs that carry nothing in any such flow because they lead from a part of
  // the network that can be loaded less to one that has to be loaded more are closed.
  void solve(FlowNetwork& network, const LevelInput& input);

 private:
  bool settle(FlowNetwork& network, const LevelInput& input, std::uint32_t group);
  void set_targets(FlowNetwork& network, const LevelInput& input, std::uint32_t group);
  bool can_split(const FlowNetwork& network, const LevelInput& input, std::uint32_t group) const;
  void split(FlowNetwork& network, std::uint32_t group, std::uint32_t new_group);

  std::vector<std::uint32_t> source_group_;
  std::vector<std::uint32_t> sink_group_;
  std::vector<double> width_;  // of the Open sinks of the group at hand, else 0
};

}  // namespace proxima::policy
