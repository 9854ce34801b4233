// SPDX-License-Identifier: Apache-2.0
// Every request that can be made of a group, with its parameters: what both versions of OpenAPI
// write down.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"

namespace proxima::apiserver {

struct ApiParameter {
  std::string_view name;
  std::string_view type;  // "string", "integer", "boolean"
  std::string_view description;
};

enum class ApiBody { None, Object, Patch, DeleteOptions };
enum class ApiResult { Object, List, Status };

struct ApiOperation {
  std::string path;         // "/api/v1/namespaces/{namespace}/pods/{name}"
  std::string_view method;  // "get"
  std::string_view action;  // "list"
  std::string id;           // "listCoreV1NamespacedPod"
  std::string description;
  const ResourceType* type = nullptr;
  ApiBody body = ApiBody::None;
  ApiResult result = ApiResult::Object;
  std::span<const ApiParameter> parameters;  // of the query
};

// In the order of their paths.
std::vector<ApiOperation> api_operations(std::string_view group);
// "/api/v1", "/apis/discovery.k8s.io/v1"
std::string group_path(std::string_view group);
// "core_v1"
std::string group_tag(std::string_view group);
// What a path takes, from "{name}" and "{namespace}", and "pretty".
std::vector<ApiParameter> path_parameters(std::string_view path);

}  // namespace proxima::apiserver
