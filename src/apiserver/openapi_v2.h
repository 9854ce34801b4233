// SPDX-License-Identifier: Apache-2.0
// OpenAPI version 2: one document for everything, in JSON or, as kubectl asks for it, in protobuf.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

namespace proxima::apiserver {

boost::json::object openapi_v2();
// The same as gnostic's openapi.v2.Document.
std::string openapi_v2_protobuf(const boost::json::object& document);

}  // namespace proxima::apiserver
