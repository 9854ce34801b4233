// SPDX-License-Identifier: Apache-2.0
// The share of each zone in the CPU of the cluster: what Topology Aware Hints measure zones by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/node.h"
#include "core/policy/reason.h"

namespace proxima::policy {

// What a ready worker node without a zone label or without allocatable CPU means.
enum class MissingNodeData : std::uint8_t {
  Disable,  // no hints at all, as documented and as upstream does
  OneCore,  // KEP-2433: a node without CPU makes every node count as one core; a node without a
            // zone still disables
  Ignore,   // leave that node out, and say so
};

// CPU share of each zone, the same for all services of a cluster.
struct CpuRatios {
  std::vector<double> by_zone;          // by ZoneIndex; 0: no ready worker node there
  std::vector<model::ZoneIndex> zones;  // those with a ratio, ascending; empty: see `why_none`
  Note why_none;                        // set when `zones` is empty
  std::vector<Note> notes;              // nodes left out or counted as one core
};

// `subject` of the notes is the node's name as `names` gives it.
CpuRatios cpu_ratios(std::span<const model::Node> nodes, std::size_t zone_count,
                     MissingNodeData missing, const StringPool& names);

}  // namespace proxima::policy
