// SPDX-License-Identifier: Apache-2.0
// The table of types in the words of OpenAPI, version 2 or 3.
#pragma once

#include <boost/json/fwd.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/resource.h"

namespace proxima::apiserver {

enum class OpenApiVersion { V2, V3 };

// The OpenAPI name of a kind's list: "io.k8s.api.core.v1.PodList".
std::string list_type_name(const ResourceType& type);
// Of types that every group uses.
std::string meta_type_name(std::string_view name);

// {"$ref": …}
boost::json::object schema_reference(std::string_view type_name, OpenApiVersion version);
// The schemas of these types and of every type that they lead to, by name.
boost::json::object openapi_schemas(const std::set<std::string>& roots, OpenApiVersion version);

}  // namespace proxima::apiserver
