// SPDX-License-Identifier: Apache-2.0
// Reading members of a parsed JSON object.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <string>
#include <string_view>

namespace proxima::kube {

// The text under `key`; empty when it is missing or not a string.
inline std::string text_member(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace proxima::kube
