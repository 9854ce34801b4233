// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of gnostic's OpenAPIv2.proto. Only what openapi_v2() writes is known.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/openapi_v2.h"
#include "apiserver/proto_message.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;
using boost::json::value;

std::string_view string_of(const value& from) {
  return from.is_string() ? std::string_view(from.get_string()) : std::string_view();
}

void add_texts(ProtoMessage& out, std::uint32_t field, const value& from) {
  for (const value& item : from.as_array()) out.text(field, string_of(item));
}

// Any{yaml}: JSON is YAML.
ProtoMessage any(const value& from) {
  ProtoMessage out;
  out.text(2, boost::json::serialize(from) + "\n");
  return out;
}

// Members whose names begin with "x-".
void add_extensions(ProtoMessage& out, std::uint32_t field, const object& from) {
  for (const auto& [key, content] : from) {
    if (!std::string_view(key).starts_with("x-")) continue;
    ProtoMessage named;
    named.text(1, key);
    named.message(2, any(content));
    out.message(field, named);
  }
}

ProtoMessage named(std::string_view name, const ProtoMessage& content) {
  ProtoMessage out;
  out.text(1, name);
  out.message(2, content);
  return out;
}

ProtoMessage schema(const object& from);

ProtoMessage named_schemas(const object& from) {
  ProtoMessage out;
  for (const auto& [name, content] : from) out.message(1, named(name, schema(content.as_object())));
  return out;
}

ProtoMessage schema(const object& from) {
  ProtoMessage out;
  if (const value* found = from.if_contains("$ref")) out.text(1, string_of(*found));
  if (const value* found = from.if_contains("format")) out.text(2, string_of(*found));
  if (const value* found = from.if_contains("description")) out.text(4, string_of(*found));
  if (const value* found = from.if_contains("required")) add_texts(out, 19, *found);
  if (const value* found = from.if_contains("enum"))
    for (const value& item : found->as_array()) out.message(20, any(item));
  if (const value* found = from.if_contains("additionalProperties")) {
    ProtoMessage item;
    item.message(1, schema(found->as_object()));
    out.message(21, item);
  }
  if (const value* found = from.if_contains("type")) {
    ProtoMessage item;
    item.text(1, string_of(*found));
    out.message(22, item);
  }
  if (const value* found = from.if_contains("items")) {
    ProtoMessage item;
    item.message(1, schema(found->as_object()));
    out.message(23, item);
  }
  if (const value* found = from.if_contains("properties"))
    out.message(25, named_schemas(found->as_object()));
  add_extensions(out, 31, from);
  return out;
}

ProtoMessage body_parameter(const object& from) {
  ProtoMessage out;
  out.text(2, string_of(from.at("name")));
  out.text(3, string_of(from.at("in")));
  if (from.contains("required")) out.flag(4, true);
  out.message(5, schema(from.at("schema").as_object()));
  return out;
}

// In queries and in paths: the same fields, but for two numbers.
ProtoMessage simple_parameter(const object& from, bool in_query) {
  ProtoMessage out;
  if (from.contains("required")) out.flag(1, true);
  out.text(2, string_of(from.at("in")));
  out.text(3, string_of(from.at("description")));
  out.text(4, string_of(from.at("name")));
  out.text(in_query ? 6 : 5, string_of(from.at("type")));
  out.flag(in_query ? 20 : 19, true);
  return out;
}

ProtoMessage parameters_item(const object& from) {
  const std::string_view in = string_of(from.at("in"));
  ProtoMessage parameter;
  if (in == "body") {
    parameter.message(1, body_parameter(from));
  } else {
    ProtoMessage kind;
    kind.message(in == "query" ? 3 : 4, simple_parameter(from, in == "query"));
    parameter.message(2, kind);
  }
  ProtoMessage out;
  out.message(1, parameter);
  return out;
}

ProtoMessage responses(const object& from) {
  ProtoMessage out;
  for (const auto& [code, content] : from) {
    ProtoMessage response;
    response.text(1, string_of(content.at("description")));
    if (const value* found = content.as_object().if_contains("schema")) {
      ProtoMessage item;
      item.message(1, schema(found->as_object()));
      response.message(2, item);
    }
    ProtoMessage choice;
    choice.message(1, response);
    out.message(1, named(code, choice));
  }
  return out;
}

ProtoMessage operation(const object& from) {
  ProtoMessage out;
  add_texts(out, 1, from.at("tags"));
  out.text(3, string_of(from.at("description")));
  out.text(5, string_of(from.at("operationId")));
  add_texts(out, 6, from.at("produces"));
  add_texts(out, 7, from.at("consumes"));
  if (const value* found = from.if_contains("parameters"))
    for (const value& item : found->as_array()) out.message(8, parameters_item(item.as_object()));
  out.message(9, responses(from.at("responses").as_object()));
  add_texts(out, 10, from.at("schemes"));
  add_extensions(out, 13, from);
  return out;
}

std::uint32_t field_of_method(std::string_view method) {
  if (method == "get") return 2;
  if (method == "put") return 3;
  if (method == "post") return 4;
  return method == "delete" ? 5 : 8;
}

ProtoMessage path_item(const object& from) {
  ProtoMessage out;
  for (const auto& [method, content] : from)
    if (content.is_object()) out.message(field_of_method(method), operation(content.get_object()));
  for (const value& item : from.at("parameters").as_array())
    out.message(9, parameters_item(item.as_object()));
  return out;
}

}  // namespace

std::string openapi_v2_protobuf(const object& document) {
  ProtoMessage info;
  info.text(1, string_of(document.at("info").at("title")));
  info.text(2, string_of(document.at("info").at("version")));
  ProtoMessage paths;
  for (const auto& [path, content] : document.at("paths").as_object())
    paths.message(2, named(path, path_item(content.as_object())));
  ProtoMessage out;
  out.text(1, string_of(document.at("swagger")));
  out.message(2, info);
  out.message(8, paths);
  out.message(9, named_schemas(document.at("definitions").as_object()));
  return out.bytes();
}

}  // namespace proxima::apiserver
