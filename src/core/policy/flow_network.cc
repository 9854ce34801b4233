// SPDX-License-Identifier: Apache-2.0
#include "core/policy/flow_network.h"

#include <algorithm>

namespace proxima::policy {

void FlowNetwork::reset(std::size_t source_count, std::size_t sink_count) {
  excess.assign(source_count, 0);
  room.assign(sink_count, 0);
  flow.assign(source_count * sink_count, 0);
  open.assign(source_count * sink_count, 0);
  reached_source.assign(source_count, 0);
  reached_sink.assign(sink_count, 0);
  came_from_.assign(sink_count, kNone);
  taken_back_.assign(source_count, kNone);
  queue_.reserve(source_count);
}

// Shortest augmenting paths: their number is bounded by the size of the network whatever the
// amounts are, so no input can make this run for long.
void FlowNetwork::push_all() {
  push_directly();
  while (true) {
    const std::uint32_t sink = find_sink_with_room();
    if (sink == kNone) return;
    push_along_path(sink);
  }
}

// The paths of one arc need no search, and mostly they are all there is.
void FlowNetwork::push_directly() {
  for (std::size_t source = 0; source < sources(); ++source) {
    for (std::size_t sink = 0; sink < sinks() && excess[source] > dust; ++sink) {
      if (!open[arc(source, sink)] || room[sink] <= dust) continue;
      const double amount = std::min(excess[source], room[sink]);
      flow[arc(source, sink)] += amount;
      excess[source] -= amount;
      room[sink] -= amount;
    }
  }
}

std::uint32_t FlowNetwork::find_sink_with_room() {
  std::fill(reached_source.begin(), reached_source.end(), 0);
  std::fill(reached_sink.begin(), reached_sink.end(), 0);
  queue_.clear();
  for (std::uint32_t source = 0; source < sources(); ++source) {
    if (excess[source] <= dust) continue;
    reached_source[source] = 1;
    taken_back_[source] = kNone;
    queue_.push_back(source);
  }
  std::size_t next = 0;
  while (next < queue_.size()) {  // it grows as sources are reached
    const std::uint32_t found = visit_source(queue_[next++]);
    if (found != kNone) return found;
  }
  return kNone;
}

std::uint32_t FlowNetwork::visit_source(std::uint32_t source) {
  for (std::uint32_t sink = 0; sink < sinks(); ++sink) {
    if (reached_sink[sink] || !open[arc(source, sink)]) continue;
    reached_sink[sink] = 1;
    came_from_[sink] = source;
    if (room[sink] > dust) return sink;
    visit_sink(sink);
  }
  return kNone;
}

// A full sink can make room if one of the sources that fill it can go elsewhere.
void FlowNetwork::visit_sink(std::uint32_t sink) {
  for (std::uint32_t source = 0; source < sources(); ++source) {
    if (reached_source[source] || flow[arc(source, sink)] <= dust) continue;
    reached_source[source] = 1;
    taken_back_[source] = sink;
    queue_.push_back(source);
  }
}

void FlowNetwork::push_along_path(std::uint32_t sink) {
  double amount = room[sink];
  std::uint32_t source = came_from_[sink];
  for (; taken_back_[source] != kNone; source = came_from_[taken_back_[source]]) {
    amount = std::min(amount, flow[arc(source, taken_back_[source])]);
  }
  amount = std::min(amount, excess[source]);
  excess[source] -= amount;
  room[sink] -= amount;
  source = came_from_[sink];
  flow[arc(source, sink)] += amount;
  while (taken_back_[source] != kNone) {
    const std::uint32_t back = taken_back_[source];
    flow[arc(source, back)] -= amount;
    source = came_from_[back];
    flow[arc(source, back)] += amount;
  }
}

}  // namespace proxima::policy
