// SPDX-License-Identifier: Apache-2.0
#include "core/policy/topology_keys.h"

#include <numeric>

namespace proxima::policy {
namespace {

std::vector<std::uint32_t> all_of(std::size_t count) {
  std::vector<std::uint32_t> endpoints(count);
  std::iota(endpoints.begin(), endpoints.end(), 0U);
  return endpoints;
}

std::vector<std::uint32_t> with_value(const TopologyKeysInput& input, std::string_view key,
                                      std::uint32_t value) {
  std::vector<std::uint32_t> endpoints;
  for (std::size_t i = 0; i < input.endpoint_count; ++i) {
    if (input.endpoint_label(i, key) == value) endpoints.push_back(static_cast<std::uint32_t>(i));
  }
  return endpoints;
}

Note note(Reason reason, std::string_view key, std::size_t count) {
  return {.reason = reason, .subject = key, .count = static_cast<std::int64_t>(count)};
}

// The keys say nothing that could be compared, so only a "*" at the end saves the traffic.
TopologyKeysChoice choose_without_labels(const TopologyKeysInput& input) {
  if (input.keys.back() != kAnyTopology) {
    return {
        .endpoints = {}, .why = note(Reason::NodeLabelsUnknownRejects, {}, 0), .passed_over = {}};
  }
  return {.endpoints = all_of(input.endpoint_count),
          .why = note(Reason::NodeLabelsUnknownUsesAll, kAnyTopology, input.endpoint_count),
          .passed_over = {}};
}

TopologyKeysChoice choose_first_match(const TopologyKeysInput& input) {
  TopologyKeysChoice choice;
  for (const std::string_view key : input.keys) {
    if (key == kAnyTopology) {
      choice.endpoints = all_of(input.endpoint_count);
      choice.why = note(Reason::TopologyKeyCatchAll, key, input.endpoint_count);
      return choice;
    }
    const std::uint32_t wanted = input.node_label(key);
    if (wanted == kNoValue) {
      choice.passed_over.push_back(note(Reason::TopologyKeyNotOnNode, key, 0));
      continue;
    }
    choice.endpoints = with_value(input, key, wanted);
    if (!choice.endpoints.empty()) {
      choice.why = note(Reason::TopologyKeyMatched, key, choice.endpoints.size());
      return choice;
    }
    choice.passed_over.push_back(note(Reason::TopologyKeyNoEndpoint, key, 0));
  }
  choice.why = note(Reason::NoTopologyKeyMatched, {}, 0);
  return choice;
}

}  // namespace

TopologyKeysChoice choose_by_topology_keys(const TopologyKeysInput& input) {
  if (input.endpoint_count == 0) {
    return {.endpoints = {}, .why = note(Reason::NoneReady, {}, 0), .passed_over = {}};
  }
  if (input.keys.empty()) {
    return {.endpoints = all_of(input.endpoint_count),
            .why = note(Reason::ClusterWide, {}, input.endpoint_count),
            .passed_over = {}};
  }
  return input.node_known ? choose_first_match(input) : choose_without_labels(input);
}

}  // namespace proxima::policy
