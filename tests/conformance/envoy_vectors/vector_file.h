// SPDX-License-Identifier: Apache-2.0
// The recorded facts in tests/conformance/policy_vectors/vectors, read as JSON. A field that a test
// asks for and that is not there ends the test with an exception, which googletest reports.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::conformance {

// The list `vectors` of a file.
const boost::json::array& vectors_of(std::string_view file);

// Those of envoy_vectors.json with one `kind`.
std::vector<const boost::json::object*> envoy_vectors(std::string_view kind);

// Null when absent or null.
const boost::json::value* field(const boost::json::object& object, std::string_view key);
std::uint64_t number(const boost::json::object& object, std::string_view key,
                     std::uint64_t otherwise);
std::string text(const boost::json::value& value);
std::vector<std::uint64_t> numbers(const boost::json::value& list);

}  // namespace proxima::conformance
