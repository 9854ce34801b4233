// SPDX-License-Identifier: Apache-2.0
// How Go's decoder names what it found: "json: cannot unmarshal array into Go value of type …".
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace proxima::apiserver {

// "object", "array", "string", "number", "bool", "null".
std::string_view go_json_kind(const boost::json::value& value);
// 'json: cannot unmarshal array into Go value of type T'; `target` is "value of type T" or
// "struct field S.f of type T".
std::string go_cannot_unmarshal(const boost::json::value& value, std::string_view target);

}  // namespace proxima::apiserver
