// SPDX-License-Identifier: Apache-2.0
// Service Topology (`topologyKeys`): the first key with a match takes all; "*" matches everything;
// no match is a rejection, not a fallback.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/limits.h"
#include "core/policy/reason.h"

namespace proxima::policy {

inline constexpr std::size_t kMaxTopologyKeys =
    model::limit_of(model::Bounded::TopologyKeys).most_count();
inline constexpr std::string_view kAnyTopology = "*";

struct TopologyKeysInput {
  std::span<const std::string_view> keys;
  bool node_known = true;  // false: the node, or all its labels, are unknown
  // Label values as numbers (interned), or `kNoValue` when the label is missing; an empty value is
  // a value.
  std::function<std::uint32_t(std::string_view key)> node_label;
  std::function<std::uint32_t(std::size_t endpoint, std::string_view key)> endpoint_label;
  std::size_t endpoint_count = 0;
};
inline constexpr std::uint32_t kNoValue = 0xffffffffU;

struct TopologyKeysChoice {
  std::vector<std::uint32_t> endpoints;  // ascending; empty: reject
  Note why;                              // the key that decided, or why none did
  std::vector<Note> passed_over;         // keys considered before it, in order
};

TopologyKeysChoice choose_by_topology_keys(const TopologyKeysInput& input);

}  // namespace proxima::policy
