// SPDX-License-Identifier: Apache-2.0
// OpenAPI version 3: a document a group. kubectl explains, validates and applies with it.
#pragma once

#include <boost/json/fwd.hpp>
#include <string_view>

namespace proxima::apiserver {

boost::json::object openapi_v3(std::string_view group);

}  // namespace proxima::apiserver
