// SPDX-License-Identifier: Apache-2.0
// What one request may bring and cost. All requests share one thread, so the bounds are chosen for
// each to hold it for less than 50 ms; docs/decisions/0066 has the reasons and the measurements.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <string_view>

#include "apiserver/status_error.h"
#include "base/result.h"

namespace proxima::apiserver {

// JSON values in a body: an EndpointSlice with 1,000 endpoints and hints has about 22,000.
inline constexpr std::size_t kMaxBodyValues = 25'000;
// Bytes of a stored object. etcd refuses more as well, so upstream's servers do.
inline constexpr std::size_t kMaxObjectBytes = 3U << 19U;
// Bytes of a YAML body: reading YAML takes much longer than reading JSON.
inline constexpr std::size_t kMaxYamlBytes = 128U << 10U;

// The values of an object, itself included; counting ends soon after `enough`.
std::size_t count_values(const boost::json::value& value, std::size_t enough);

// Refusals: 413.
StatusError too_many_values();
Outcome<Unit> check_body_values(std::string_view json);
Outcome<Unit> check_yaml_bytes(std::string_view yaml);
Outcome<Unit> check_object_size(const boost::json::object& object);

}  // namespace proxima::apiserver
