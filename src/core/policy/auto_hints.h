// SPDX-License-Identifier: Apache-2.0
// Topology Aware Hints (`auto`): whole endpoints are allotted to zones in proportion to CPU, or
// none at all with the reason. IEEE-exact with upstream's arithmetic; deterministic where upstream
// follows the order of a hash map: ties go to the smaller zone name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/endpoint.h"
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

struct AutoOptions {
  double start_below = 0.2;  // hints begin when the expected overload stays within this
  double stop_above = 0.3;   // and end when it would exceed this; equal: upstream's behaviour
  MissingNodeData missing = MissingNodeData::Disable;
  bool enabled = true;  // false: the feature gate TopologyAwareHints is off for the cluster
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

// Whether a slice is going to be written anyway, or holds hints that should be kept if right.
enum class SliceState : std::uint8_t { Create, Update, Unchanged };

struct HintSlice {
  std::span<const model::Endpoint> endpoints;
  SliceState state = SliceState::Unchanged;
};

struct AutoInput {
  std::span<const HintSlice> slices;     // Unchanged ones in name order
  std::span<const std::uint32_t> hints;  // Snapshot::hints, where endpoints' old hints are
  const CpuRatios* ratios = nullptr;
  AutoOptions options;
  bool has_hints_now = false;  // this service is hinted already: the threshold to stop applies
};

// Reusable working memory.
struct AutoWorkspace {
  std::vector<std::int64_t> minimum, maximum, counts, slice_counts, give, take;
  std::vector<double> desired, surplus, deficit;
  std::vector<std::size_t> takers;  // zones that are lent endpoints, neediest first
};

struct AutoDecision {
  bool hinted = false;
  Note why;                      // HintsAssigned, HintsKept, … or why not
  std::int64_t lent = 0;         // endpoints hinted to another zone than their own
  double expected_overload = 0;  // worst zone: CPU share over its share of the endpoints, −1
};

// Fills `hint_of` (one entry an endpoint, slices in the order given) with the zone each ready
// endpoint is for, or none; and `written` (one entry a slice) with whether the slice has to be
// written. Not-ready endpoints get none.
AutoDecision auto_hints(const AutoInput& input, AutoWorkspace& workspace,
                        std::span<model::ZoneIndex> hint_of, std::span<unsigned char> written);

// The Kubernetes Event that upstream's controller emits for such a decision, byte for byte, without
// the address type that it appends.
struct HintEvent {
  std::string_view reason;  // TopologyAwareHintsEnabled, TopologyAwareHintsDisabled
  std::string message;
};
HintEvent hint_event(const AutoDecision& decision);

}  // namespace proxima::policy
