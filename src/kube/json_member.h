// SPDX-License-Identifier: Apache-2.0
// Reading members of a parsed JSON object.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace proxima::kube {

// The text under `key`; empty when it is missing or not a string.
std::string text_member(const boost::json::object& object, std::string_view key);

}  // namespace proxima::kube
