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
#include "core/policy/cpu_ratios.h"
#include "core/policy/reason.h"

namespace proxima::policy {

struct AutoOptions {
  double start_below = 0.2;  // hints begin when the expected overload stays within this
  double stop_above = 0.3;   // and end when it would exceed this; equal: upstream's behaviour
  MissingNodeData missing = MissingNodeData::Disable;
  bool enabled = true;  // false: the feature gate TopologyAwareHints is off for the cluster
  // Every zone gets the endpoints that it must have, also from zones where no traffic starts.
  // Upstream leaves those to their zone, and lends nothing for less than half an endpoint, so that
  // a zone may be overloaded beyond the threshold.
  bool bounds_every_zone = false;
};

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
  // By ZoneIndex: endpoints are lent within a region where that is possible. Empty: there is one.
  std::span<const std::uint32_t> regions = {};
  AutoOptions options;
  bool has_hints_now = false;  // this service is hinted already: it may go on up to the threshold
                               // to stop
};

// Reusable working memory: what is known of a zone while its endpoints are allotted.
struct ZoneTally {
  std::int64_t minimum = 0;  // endpoints it must have, and may have at most
  std::int64_t maximum = 0;
  double desired = 0;
  std::int64_t count = 0;  // hinted to it so far
  double surplus = 0;      // above and below what is desired
  double deficit = 0;
  std::int64_t give = 0;  // whole endpoints to lend, and to be lent
  std::int64_t take = 0;
};
struct AutoWorkspace {
  std::vector<ZoneTally> zones;             // by ZoneIndex
  std::vector<std::int64_t> slice_counts;   // slice × zone: hints of slices that might stay
  std::vector<std::size_t> takers;          // zones that are lent endpoints, neediest first
  std::vector<std::int64_t> within_region;  // by region: endpoints that it still lends to itself
  std::vector<std::int64_t> taken_in;       // by region: endpoints that its zones still take
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
