// SPDX-License-Identifier: Apache-2.0
#include "apiserver/openapi_v2.h"

#include <boost/json/array.hpp>

#include "apiserver/api_operations.h"
#include "apiserver/discovery_document.h"
#include "apiserver/openapi_schema.h"
#include "apiserver/schema.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

constexpr OpenApiVersion kV2 = OpenApiVersion::V2;

object v2_parameter(const ApiParameter& from, std::string_view in) {
  object out = {{"uniqueItems", true},
                {"type", from.type},
                {"description", from.description},
                {"name", from.name},
                {"in", in}};
  if (in == "path") out["required"] = true;
  return out;
}

object body_parameter(const ApiOperation& operation) {
  object out = {{"name", "body"}, {"in", "body"}, {"required", true}};
  std::string type(type_of(*operation.type).name);
  if (operation.body == ApiBody::Patch) type = meta_type_name("Patch");
  if (operation.body == ApiBody::DeleteOptions) {
    type = meta_type_name("DeleteOptions");
    out.erase("required");
  }
  out["schema"] = schema_reference(type, kV2);
  return out;
}

object v2_responses(const ApiOperation& operation) {
  std::string type(type_of(*operation.type).name);
  if (operation.result == ApiResult::List) type = list_type_name(*operation.type);
  if (operation.result == ApiResult::Status) type = meta_type_name("Status");
  return {{"200", object{{"description", "OK"}, {"schema", schema_reference(type, kV2)}}},
          {"401", object{{"description", "Unauthorized"}}}};
}

array consumed(const ApiOperation& operation) {
  if (operation.body != ApiBody::Patch) return array(1, "*/*");
  return {"application/json-patch+json", "application/merge-patch+json",
          "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
}

object v2_operation(const ApiOperation& operation) {
  const ResourceType& type = *operation.type;
  array parameters;
  if (operation.body != ApiBody::None) parameters.push_back(body_parameter(operation));
  for (const ApiParameter& one : operation.parameters)
    parameters.push_back(v2_parameter(one, "query"));
  object out = {{"description", operation.description},
                {"consumes", consumed(operation)},
                {"produces", array(1, "application/json")},
                {"schemes", array(1, "https")},
                {"tags", array(1, boost::json::value(group_tag(type.group)))},
                {"operationId", operation.id}};
  if (!parameters.empty()) out["parameters"] = std::move(parameters);
  out["responses"] = v2_responses(operation);
  out["x-kubernetes-action"] = operation.action;
  out["x-kubernetes-group-version-kind"] =
      object{{"group", type.group}, {"kind", type.name}, {"version", type.version}};
  return out;
}

void add_group(std::string_view group, object& paths, std::set<std::string>& types) {
  for (const ApiOperation& operation : api_operations(group)) {
    types.emplace(type_of(*operation.type).name);
    types.insert(list_type_name(*operation.type));
    if (!paths.contains(operation.path)) {
      array parameters;
      for (const ApiParameter& one : path_parameters(operation.path))
        parameters.push_back(v2_parameter(one, one.name == "pretty" ? "query" : "path"));
      paths[operation.path] = object{{"parameters", std::move(parameters)}};
    }
    paths[operation.path].as_object()[operation.method] = v2_operation(operation);
  }
}

}  // namespace

object openapi_v2() {
  object paths;
  std::set<std::string> types;
  for (const char* name : {"DeleteOptions", "Patch", "Status"}) types.insert(meta_type_name(name));
  add_group("", paths, types);
  for (const std::string_view group : served_groups()) add_group(group, paths, types);
  return {{"swagger", "2.0"},
          {"info", object{{"title", "Kubernetes"}, {"version", "v1.36.4+proxima"}}},
          {"paths", std::move(paths)},
          {"definitions", openapi_schemas(types, kV2)}};
}

}  // namespace proxima::apiserver
