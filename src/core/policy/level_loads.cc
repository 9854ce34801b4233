// SPDX-License-Identifier: Apache-2.0
// Decomposition: try one level for a whole group; where the flow cannot reach it, the minimum cut
// shows the sinks that have to stand higher and the sources that force them to. Nothing flows
// between the two parts in the best flow, so each is solved by itself.
#include "core/policy/level_loads.h"

#include <algorithm>
#include <numeric>

#include "core/policy/water_level.h"

namespace proxima::policy {
namespace {

// A level that misses by less than this part of the traffic is met.
constexpr double kLevelTolerance = 1e-13;

}  // namespace

void LevelLoads::solve(FlowNetwork& network, const LevelInput& input) {
  source_group_.assign(network.sources(), 0);
  sink_group_.assign(network.sinks(), 0);
  std::fill(network.excess.begin(), network.excess.end(), 0);
  std::uint32_t group_count = 1;
  for (std::uint32_t group = 0; group < group_count; ++group) {
    while (!settle(network, input, group)) split(network, group, group_count++);
  }
}

// True when the group's sinks stand at one level.
bool LevelLoads::settle(FlowNetwork& network, const LevelInput& input, std::uint32_t group) {
  set_targets(network, input, group);
  network.push_all();
  const double left = std::accumulate(network.excess.begin(), network.excess.end(), 0.0);
  const double sent = std::accumulate(input.supply.begin(), input.supply.end(), 0.0);
  const bool level = left <= kLevelTolerance * sent || !can_split(network, input, group);
  std::fill(network.excess.begin(), network.excess.end(), 0);
  return level;
}

void LevelLoads::set_targets(FlowNetwork& network, const LevelInput& input, std::uint32_t group) {
  double amount = 0;
  for (std::size_t source = 0; source < network.sources(); ++source) {
    if (source_group_[source] != group) continue;
    amount += network.excess[source] = input.supply[source];
    std::fill_n(network.flow.begin() + network.arc(source, 0), network.sinks(), 0);
  }
  width_.assign(network.sinks(), 0);
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    if (sink_group_[sink] != group) continue;
    if (input.role[sink] == SinkRole::Open) width_[sink] = input.width[sink];
    network.room[sink] = input.role[sink] == SinkRole::Full ? input.room[sink] : 0;
    amount -= network.room[sink];
  }
  const double level = water_level(std::max(0.0, amount), width_, input.filled);
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    if (width_[sink] > 0) network.room[sink] = poured(level, width_[sink], input.filled[sink]);
  }
}

// Both parts need a sink that can move; otherwise only rounding is left over.
bool LevelLoads::can_split(const FlowNetwork& network, const LevelInput& input,
                           std::uint32_t group) const {
  bool higher = false;
  bool lower = false;
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    if (sink_group_[sink] != group || input.role[sink] != SinkRole::Open) continue;
    (network.reached_sink[sink] ? higher : lower) = true;
  }
  return higher && lower;
}

void LevelLoads::split(FlowNetwork& network, std::uint32_t group, std::uint32_t new_group) {
  for (std::size_t source = 0; source < network.sources(); ++source) {
    if (source_group_[source] == group && network.reached_source[source]) {
      source_group_[source] = new_group;
    }
  }
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    if (sink_group_[sink] == group && network.reached_sink[sink]) sink_group_[sink] = new_group;
  }
  for (std::size_t source = 0; source < network.sources(); ++source) {
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      if (source_group_[source] != sink_group_[sink]) network.open[network.arc(source, sink)] = 0;
    }
  }
}

}  // namespace proxima::policy
