// SPDX-License-Identifier: Apache-2.0
// The ready endpoints of a service as parallel arrays, which is how the balancing policies take
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/endpoint.h"
#include "core/policy/node_first.h"

namespace proxima::plan {

// Whether traffic prefers to stay in a place with this many ready endpoints. Where there is none it
// cannot stay anyway.
inline bool may_stay(std::uint32_t ready, std::uint32_t min_local_endpoints) {
  return ready == 0 || ready >= min_local_endpoints;
}

struct ReadyEndpoints {
  std::vector<std::uint32_t> index;  // of the service, counted from its first
  std::vector<std::uint16_t> place;
  std::vector<std::uint32_t> node;  // or policy::kUnknownNode
  std::vector<float> weight;
  bool alike = true;  // every weight is the same

  // Empty when they are alike: the policies then count instead of weighing.
  std::span<const float> weights() const {
    return alike ? std::span<const float>() : std::span<const float>(weight);
  }

  // Replaces the content, keeping the memory. `places` counts the zones and "no zone".
  void collect(std::span<const model::Endpoint> endpoints, std::size_t places,
               bool (*is_ready)(const model::Endpoint&));
};

}  // namespace proxima::plan
