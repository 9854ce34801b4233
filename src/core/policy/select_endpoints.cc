// SPDX-License-Identifier: Apache-2.0
#include "core/policy/select_endpoints.h"

#include <algorithm>
#include <iterator>

namespace proxima::policy {
namespace {

// What one pass over the endpoints tells, enough to choose every list before building any.
struct Census {
  std::uint32_t ready = 0, draining = 0;              // draining: not ready, but still serving
  std::uint32_t local_ready = 0, local_draining = 0;  // and terminating
  std::uint32_t node_hinted = 0, zone_hinted = 0;     // of the ready ones
  std::uint32_t for_node = 0, for_zone = 0;
};

// "Not said" never matches, so a node without a zone is not matched by an empty hint either.
template <class Index>
bool holds(std::span<const std::uint32_t> hints, Index wanted) {
  return wanted && std::find(hints.begin(), hints.end(), wanted.value()) != hints.end();
}

bool is_draining(const Candidate& e) { return e.serving && e.terminating; }

void count_ready(const SelectionInput& input, const Candidate& e, Census& census) {
  ++census.ready;
  census.local_ready += e.local;
  census.node_hinted += !e.node_hints.empty();
  census.zone_hinted += !e.zone_hints.empty();
  census.for_node += holds(e.node_hints, input.node);
  census.for_zone += holds(e.zone_hints, input.zone);
}

Census take_census(const SelectionInput& input) {
  Census census;
  for (const Candidate& e : input.endpoints) {
    if (e.ready) {
      count_ready(input, e, census);
    } else if (is_draining(e)) {
      ++census.draining;
      census.local_draining += e.local;
    }
  }
  return census;
}

// One ready endpoint without a hint switches a mode off for the whole port, because nobody knows
// whom that endpoint is meant to relieve. Node and zone are judged on their own.
TopologyMode mode_of(const SelectionInput& input, const Census& census) {
  if (census.ready == 0 || !input.uses_hints) return TopologyMode::None;
  if (census.node_hinted == census.ready && census.for_node > 0) return TopologyMode::SameNode;
  if (census.zone_hinted == census.ready && census.for_zone > 0) return TopologyMode::SameZone;
  return TopologyMode::None;
}

Note note(Reason reason, std::uint32_t count) { return {.reason = reason, .count = count}; }

Note why_no_hints(const SelectionInput& input, const Census& census) {
  if (census.node_hinted + census.zone_hinted == 0) return note(Reason::ClusterWide, census.ready);
  if (!input.uses_hints) return note(Reason::HintsSwitchedOff, census.ready);
  if (census.zone_hinted == 0 && census.node_hinted == census.ready) {
    return note(Reason::NoHintForNode, census.ready);
  }
  if (census.zone_hinted < census.ready) {
    return note(Reason::HintsIncomplete, census.ready - census.zone_hinted);
  }
  return note(input.zone ? Reason::NoHintForZone : Reason::NodeZoneUnknown, census.ready);
}

Note why_cluster(const SelectionInput& input, const Census& census, TopologyMode mode) {
  if (census.ready == 0) {
    return census.draining > 0 ? note(Reason::TerminatingFallback, census.draining)
                               : note(Reason::NoEndpoints, 0);
  }
  if (mode == TopologyMode::SameNode) return note(Reason::UsesNodeHints, census.for_node);
  if (mode == TopologyMode::SameZone) return note(Reason::UsesZoneHints, census.for_zone);
  return why_no_hints(input, census);
}

Note why_local(const Census& census) {
  if (census.local_ready > 0) return note(Reason::LocalEndpointsOnly, census.local_ready);
  if (census.local_draining > 0) return note(Reason::TerminatingFallback, census.local_draining);
  return note(census.ready + census.draining > 0 ? Reason::NoLocalEndpoint : Reason::NoEndpoints,
              0);
}

template <class Predicate>
std::vector<std::uint32_t> collect(const SelectionInput& input, std::size_t expected,
                                   Predicate wanted) {
  std::vector<std::uint32_t> chosen;
  chosen.reserve(expected);
  for (std::size_t i = 0; chosen.size() < expected; ++i) {
    if (wanted(input.endpoints[i])) chosen.push_back(static_cast<std::uint32_t>(i));
  }
  return chosen;
}

std::vector<std::uint32_t> cluster_list(const SelectionInput& input, const Census& census,
                                        TopologyMode mode) {
  if (census.ready == 0) {
    return collect(input, census.draining, [](const Candidate& e) { return is_draining(e); });
  }
  switch (mode) {
    case TopologyMode::SameNode:
      return collect(input, census.for_node, [&](const Candidate& e) {
        return e.ready && holds(e.node_hints, input.node);
      });
    case TopologyMode::SameZone:
      return collect(input, census.for_zone, [&](const Candidate& e) {
        return e.ready && holds(e.zone_hints, input.zone);
      });
    case TopologyMode::None:
      break;
  }
  return collect(input, census.ready, [](const Candidate& e) { return e.ready; });
}

std::vector<std::uint32_t> local_list(const SelectionInput& input, const Census& census) {
  if (census.local_ready > 0) {
    return collect(input, census.local_ready,
                   [](const Candidate& e) { return e.local && e.ready; });
  }
  return collect(input, census.local_draining,
                 [](const Candidate& e) { return e.local && is_draining(e); });
}

}  // namespace

Selection select_endpoints(const SelectionInput& input) {
  const Census census = take_census(input);
  Selection s;
  s.uses_cluster = !input.internal_policy_local || input.externally_accessible;
  s.uses_local =
      input.internal_policy_local || (input.external_policy_local && input.externally_accessible);
  s.has_any = census.ready + census.draining > 0;
  s.why = note(Reason::InternalTrafficPolicyLocal, 0);
  if (s.uses_cluster) {
    s.mode = mode_of(input, census);
    s.cluster = cluster_list(input, census, s.mode);
    s.why = why_cluster(input, census, s.mode);
  }
  if (s.uses_local) {
    s.local = local_list(input, census);
    s.why_local = why_local(census);
  }
  return s;
}

std::vector<std::uint32_t> reachable_endpoints(const Selection& s) {
  if (!s.uses_local) return s.cluster;
  if (!s.uses_cluster) return s.local;
  std::vector<std::uint32_t> both;
  both.reserve(s.cluster.size() + s.local.size());
  std::set_union(s.cluster.begin(), s.cluster.end(), s.local.begin(), s.local.end(),
                 std::back_inserter(both));
  return both;
}

}  // namespace proxima::policy
