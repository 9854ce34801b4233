// SPDX-License-Identifier: Apache-2.0
#include "conformance/field_reader.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

const json::array kNoItems;
const json::object kNoFields;

// Null when absent: for every field of the formats the two mean the same.
const json::value* find(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

std::string_view FieldReader::text(const json::object& object, std::string_view key) {
  const json::value* value = find(object, key);
  return value == nullptr ? std::string_view() : as_text(*value, key);
}

bool FieldReader::flag(const json::object& object, std::string_view key) {
  return condition(object, key) == model::Condition::True;
}

model::Condition FieldReader::condition(const json::object& object, std::string_view key) {
  const json::value* value = find(object, key);
  if (value == nullptr) return model::Condition::Unset;
  if (!value->is_bool()) {
    fail(key, "neither true nor false");
    return model::Condition::Unset;
  }
  return value->get_bool() ? model::Condition::True : model::Condition::False;
}

const json::array& FieldReader::list(const json::object& object, std::string_view key) {
  const json::value* value = find(object, key);
  if (value == nullptr) return kNoItems;
  if (!value->is_array()) {
    fail(key, "not a list");
    return kNoItems;
  }
  return value->get_array();
}

const json::object& FieldReader::map(const json::object& object, std::string_view key) {
  const json::value* value = find(object, key);
  return value == nullptr ? kNoFields : as_object(*value, key);
}

std::string_view FieldReader::as_text(const json::value& value, std::string_view where) {
  if (!value.is_string()) {
    fail(where, "not a text");
    return {};
  }
  return value.get_string();
}

const json::object& FieldReader::as_object(const json::value& value, std::string_view where) {
  if (!value.is_object()) {
    fail(where, "not an object");
    return kNoFields;
  }
  return value.get_object();
}

void FieldReader::fail(std::string_view where, std::string_view message) {
  if (error_) return;
  error_ = Error{ErrorCode::InvalidInput, std::string(message)}.in(where);
}

}  // namespace proxima::conformance
