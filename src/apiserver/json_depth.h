// SPDX-License-Identifier: Apache-2.0
// How deep a JSON value is nested.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>

namespace proxima::apiserver {

// 0 for text, numbers and the like; 1 for {} and []. Safe for values that are no deeper than the
// parser and patches let them become.
std::size_t json_depth(const boost::json::value& value);

}  // namespace proxima::apiserver
