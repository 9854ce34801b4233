// SPDX-License-Identifier: Apache-2.0
#include "apiserver/openapi_v3.h"

#include <boost/json/array.hpp>

#include "apiserver/api_operations.h"
#include "apiserver/openapi_schema.h"
#include "apiserver/schema.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

constexpr OpenApiVersion kV3 = OpenApiVersion::V3;

object v3_parameter(const ApiParameter& from, std::string_view in) {
  object out = {{"name", from.name}, {"in", in}, {"description", from.description}};
  if (in == "path") out["required"] = true;
  out["schema"] = object{{"type", from.type}, {"uniqueItems", true}};
  return out;
}

object content(std::string_view media_type, std::string_view type_name) {
  return {{media_type, object{{"schema", schema_reference(type_name, kV3)}}}};
}

object request_body(const ApiOperation& operation) {
  if (operation.body == ApiBody::Patch) {
    object forms;
    for (const char* form :
         {"application/apply-patch+yaml", "application/json-patch+json",
          "application/merge-patch+json", "application/strategic-merge-patch+json"})
      forms[form] = object{{"schema", schema_reference(meta_type_name("Patch"), kV3)}};
    return {{"content", std::move(forms)}, {"required", true}};
  }
  if (operation.body == ApiBody::DeleteOptions)
    return {{"content", content("*/*", meta_type_name("DeleteOptions"))}};
  return {{"content", content("*/*", type_of(*operation.type).name)}, {"required", true}};
}

std::string result_type(const ApiOperation& operation) {
  switch (operation.result) {
    case ApiResult::List:
      return list_type_name(*operation.type);
    case ApiResult::Status:
      return meta_type_name("Status");
    case ApiResult::Object:
      break;
  }
  return std::string(type_of(*operation.type).name);
}

object v3_responses(const ApiOperation& operation) {
  const std::string type = result_type(operation);
  object shown = content("application/json", type);
  if (operation.action == "list")
    shown["application/json;stream=watch"] = object{{"schema", schema_reference(type, kV3)}};
  const object fine = {{"description", "OK"}, {"content", shown}};
  object out = {{"200", fine}};
  const bool writes = operation.method != "get" && operation.method != "delete";
  if (writes) out["201"] = object{{"description", "Created"}, {"content", shown}};
  if (operation.method == "post" || operation.action == "delete")
    out["202"] = object{{"description", "Accepted"}, {"content", shown}};
  out["401"] = object{{"description", "Unauthorized"}};
  return out;
}

object v3_operation(const ApiOperation& operation) {
  const ResourceType& type = *operation.type;
  object out = {{"tags", array(1, boost::json::value(group_tag(type.group)))},
                {"description", operation.description},
                {"operationId", operation.id}};
  array parameters;
  for (const ApiParameter& one : operation.parameters)
    parameters.push_back(v3_parameter(one, "query"));
  if (!parameters.empty()) out["parameters"] = std::move(parameters);
  if (operation.body != ApiBody::None) out["requestBody"] = request_body(operation);
  out["responses"] = v3_responses(operation);
  out["x-kubernetes-action"] = operation.action;
  out["x-kubernetes-group-version-kind"] =
      object{{"group", type.group}, {"version", type.version}, {"kind", type.name}};
  return out;
}

object shared_parameters(std::string_view path, object item) {
  array parameters;
  for (const ApiParameter& one : path_parameters(path))
    parameters.push_back(v3_parameter(one, one.name == "pretty" ? "query" : "path"));
  item["parameters"] = std::move(parameters);
  return item;
}

object paths(std::string_view group) {
  object out;
  object discovery = {
      {"tags", array(1, boost::json::value(group_tag(group)))},
      {"description", "Lists the resources of this group."},
      {"operationId", "getAPIResources"},
      {"responses",
       object{{"200", object{{"description", "OK"},
                             {"content",
                              content("application/json", meta_type_name("APIResourceList"))}}}}}};
  out[group_path(group) + "/"] = object{{"get", std::move(discovery)}};
  for (const ApiOperation& operation : api_operations(group)) {
    if (!out.contains(operation.path)) out[operation.path] = shared_parameters(operation.path, {});
    out[operation.path].as_object()[operation.method] = v3_operation(operation);
  }
  return out;
}

object schemas(std::string_view group) {
  std::set<std::string> roots;
  for (const char* name : {"APIResourceList", "DeleteOptions", "Patch", "Status"})
    roots.insert(meta_type_name(name));
  for (const ApiOperation& operation : api_operations(group)) {
    roots.emplace(type_of(*operation.type).name);
    roots.insert(list_type_name(*operation.type));
  }
  return openapi_schemas(roots, kV3);
}

}  // namespace

object openapi_v3(std::string_view group) {
  object token = {{"type", "apiKey"},
                  {"description", "A bearer token."},
                  {"name", "authorization"},
                  {"in", "header"}};
  return {{"openapi", "3.0.0"},
          {"info", object{{"title", "Kubernetes"}, {"version", "1.36"}}},
          {"paths", paths(group)},
          {"components", object{{"schemas", schemas(group)},
                                {"securitySchemes", object{{"BearerToken", std::move(token)}}}}}};
}

}  // namespace proxima::apiserver
