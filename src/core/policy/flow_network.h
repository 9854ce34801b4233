// SPDX-License-Identifier: Apache-2.0
// A flow from sources to sinks over open arcs, each source joined to each sink by an arc without a
// limit of its own. The steps of the transport solver share it and leave the flow to the next.
//
// Everything is a share of the traffic in doubles. Amounts up to `dust` are rounding, not traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace proxima::policy {

class FlowNetwork {
 public:
  // Empties the network; every arc is closed, every amount 0. Keeps its memory.
  void reset(std::size_t source_count, std::size_t sink_count);

  std::size_t sources() const { return excess.size(); }
  std::size_t sinks() const { return room.size(); }
  std::size_t arc(std::size_t source, std::size_t sink) const { return source * sinks() + sink; }

  // Moves as much of `excess` as possible over open arcs into `room`, rerouting flow where that
  // helps (a maximum flow). Afterwards reached_source and reached_sink are what a source with
  // excess left can still reach: the sinks that are too small for the sources that need them.
  void push_all();

  std::vector<double> excess;      // by source: not sent yet
  std::vector<double> room;        // by sink: what it can still take; may be infinite
  std::vector<double> flow;        // by arc
  std::vector<std::uint8_t> open;  // by arc
  std::vector<std::uint8_t> reached_source;
  std::vector<std::uint8_t> reached_sink;
  double dust = 0;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void push_directly();
  std::uint32_t find_sink_with_room();
  std::uint32_t visit_source(std::uint32_t source);
  void visit_sink(std::uint32_t sink);
  void push_along_path(std::uint32_t sink);

  std::vector<std::uint32_t> queue_;       // sources reached, in order
  std::vector<std::uint32_t> came_from_;   // by sink: the source that reached it
  std::vector<std::uint32_t> taken_back_;  // by source: the sink it was reached from, or kNone
};

}  // namespace proxima::policy
