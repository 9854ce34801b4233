// SPDX-License-Identifier: Apache-2.0
// A `hints` question as the values that policy::auto_hints takes.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/string_pool.h"
#include "core/policy/auto_hints.h"

namespace proxima::conformance {

struct HintsQuestion {
  StringPool names;
  std::vector<NameId> zones;  // by name
  std::vector<model::Node> nodes;
  std::vector<std::string_view> slice_names;  // borrowed from the JSON
  std::vector<policy::HintSlice> slices;      // unchanged ones in name order
  std::vector<model::Endpoint> endpoints;     // in slice order
  std::vector<std::uint32_t> hints;           // see model::Endpoint::hints

  std::string_view zone_name(model::ZoneIndex zone) const { return names[zones[zone.value()]]; }
  // The zones that an earlier run hinted the endpoint to.
  std::span<const std::uint32_t> zone_hints(const model::Endpoint& endpoint) const {
    return std::span(hints).subspan(endpoint.hints, endpoint.zone_hint_count);
  }
  policy::AutoInput input(const policy::CpuRatios& ratios, policy::AutoOptions options) const;
};

// The question borrows from `object`.
Result<HintsQuestion> read_hints_question(const boost::json::object& object);

}  // namespace proxima::conformance
