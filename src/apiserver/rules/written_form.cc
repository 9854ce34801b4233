// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/written_form.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <optional>

#include "apiserver/rules/typed_scalar.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

std::vector<const FieldInfo*> in_writing_order(const TypeInfo& type) {
  std::vector<const FieldInfo*> out(type.fields.size());
  for (const FieldInfo& field : type.fields) out[field.order] = &field;
  return out;
}

bool is_empty_scalar(const json::value& value) {
  if (const auto* text = value.if_string()) return text->empty();
  if (const auto* number = value.if_int64()) return *number == 0;
  if (const auto* number = value.if_uint64()) return *number == 0;
  if (const bool* boolean = value.if_bool()) return !*boolean;
  return value.is_null();
}

// Structs in Go, so that "omit when empty" does not reach them.
bool is_struct_scalar(const FieldInfo& field) {
  return field.type_name == "Time" || field.type_name == "MicroTime" ||
         field.type_name == "Quantity" || field.type_name == "IntOrString";
}

json::value written_item(const FieldInfo& field, json::value& value) {
  if (field.type == nullptr || !value.is_object()) return std::move(value);
  return written_form(*field.type, std::move(value.get_object()));
}

std::optional<json::value> written_container(const FieldInfo& field, json::value* value) {
  auto* const list = value == nullptr ? nullptr : value->if_array();
  auto* const map = value == nullptr ? nullptr : value->if_object();
  if ((list == nullptr || list->empty()) && (map == nullptr || map->empty()))
    return field.always ? std::optional<json::value>(nullptr) : std::nullopt;
  if (list != nullptr)
    for (json::value& item : *list) item = written_item(field, item);
  if (map != nullptr)
    for (auto& member : *map) member.value() = written_item(field, member.value());
  return std::move(*value);
}

std::optional<json::value> written_struct(const FieldInfo& field, json::value* value) {
  auto* const object = value == nullptr ? nullptr : value->if_object();
  if (object == nullptr && field.pointer)
    return field.always ? std::optional<json::value>(nullptr) : std::nullopt;
  json::object out =
      written_form(*field.type, object == nullptr ? json::object() : std::move(*object));
  if (field.omit_zero && out.empty()) return std::nullopt;
  return out;
}

std::optional<json::value> written_scalar(const FieldInfo& field, json::value* value) {
  const bool missing = value == nullptr || value->is_null();
  if (missing && field.pointer)
    return field.always ? std::optional<json::value>(nullptr) : std::nullopt;
  if (missing && (field.omit_zero || field.type_name == "any")) return std::nullopt;
  if (missing && (field.always || is_struct_scalar(field))) return zero_value(field);
  if (missing) return std::nullopt;
  const bool vanishes = !field.pointer && !field.always && !is_struct_scalar(field);
  if (vanishes && is_empty_scalar(*value)) return std::nullopt;
  return std::move(*value);
}

std::optional<json::value> written_field(const FieldInfo& field, json::value* value) {
  if (field.shape != FieldShape::One) return written_container(field, value);
  return field.type != nullptr ? written_struct(field, value) : written_scalar(field, value);
}

}  // namespace

json::object written_form(const TypeInfo& type, json::object object) {
  json::object out;
  out.reserve(object.size());
  for (const FieldInfo* field : in_writing_order(type))
    if (auto value = written_field(*field, object.if_contains(field->name)))
      out.emplace(field->name, std::move(*value));
  return out;
}

}  // namespace proxima::apiserver::rules
