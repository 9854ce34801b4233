// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/json_fields.h"

#include <algorithm>
#include <boost/json/value.hpp>

namespace proxima::apiserver::rules {

namespace json = boost::json;

namespace {

bool is_nothing(const json::value& value) {
  if (const auto* object = value.if_object()) return object->empty();
  if (const auto* array = value.if_array()) return array->empty();
  return value.is_null();
}

}  // namespace

const json::value& value_at(const JsonFields& object, std::string_view key) {
  static const json::value nothing;
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? nothing : *value;
}

std::string_view text_of(const json::value& value) {
  const auto* const text = value.if_string();
  return text == nullptr ? std::string_view() : std::string_view(text->data(), text->size());
}

std::string_view text_at(const JsonFields& object, std::string_view key) {
  return text_of(value_at(object, key));
}

std::optional<std::string_view> find_text(const JsonFields& object, std::string_view key) {
  const json::value& value = value_at(object, key);
  return value.is_string() ? std::optional(text_of(value)) : std::nullopt;
}

std::optional<std::int64_t> find_number(const JsonFields& object, std::string_view key) {
  const json::value& value = value_at(object, key);
  if (const auto* number = value.if_int64()) return *number;
  if (const auto* number = value.if_uint64()) return static_cast<std::int64_t>(*number);
  return std::nullopt;
}

std::int64_t number_at(const JsonFields& object, std::string_view key) {
  return find_number(object, key).value_or(0);
}

bool flag_at(const JsonFields& object, std::string_view key) {
  const bool* const flag = value_at(object, key).if_bool();
  return flag != nullptr && *flag;
}

const JsonFields& object_of(const json::value& value) {
  static const JsonFields empty;
  const auto* const object = value.if_object();
  return object == nullptr ? empty : *object;
}

const JsonFields& object_at(const JsonFields& object, std::string_view key) {
  return object_of(value_at(object, key));
}

const JsonArray& array_at(const JsonFields& object, std::string_view key) {
  static const JsonArray empty;
  const auto* const array = value_at(object, key).if_array();
  return array == nullptr ? empty : *array;
}

bool has(const JsonFields& object, std::string_view key) {
  return !value_at(object, key).is_null();
}

std::vector<std::string_view> texts_at(const JsonFields& object, std::string_view key) {
  std::vector<std::string_view> out;
  for (const json::value& item : array_at(object, key)) out.push_back(text_of(item));
  return out;
}

std::vector<std::string_view> sorted_keys(const JsonFields& object) {
  std::vector<std::string_view> keys;
  for (const auto& member : object) keys.push_back(member.key());
  std::sort(keys.begin(), keys.end());
  return keys;
}

JsonFields& make_object(JsonFields& object, std::string_view key) {
  json::value& value = object[key];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

JsonArray* find_array(JsonFields& object, std::string_view key) {
  json::value* const value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

JsonFields* find_object(JsonFields& object, std::string_view key) {
  json::value* const value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

void default_text(JsonFields& object, std::string_view key, std::string_view value) {
  if (text_at(object, key).empty()) object[key] = value;
}

void default_value(JsonFields& object, std::string_view key, const json::value& value) {
  if (!has(object, key)) object[key] = value;
}

void copy_member(JsonFields& object, const JsonFields& from, std::string_view key) {
  if (has(from, key)) {
    object[key] = value_at(from, key);
  } else {
    object.erase(key);
  }
}

bool same(const json::value& a, const json::value& b) {
  if (is_nothing(a) && is_nothing(b)) return true;
  const auto* const left = a.if_object();
  const auto* const right = b.if_object();
  if (left != nullptr && right != nullptr) {
    for (const auto& member : *left)
      if (!same_member(*left, *right, member.key())) return false;
    for (const auto& member : *right)
      if (!left->contains(member.key()) && !same_member(*left, *right, member.key())) return false;
    return true;
  }
  const auto* const one = a.if_array();
  const auto* const other = b.if_array();
  if (one == nullptr || other == nullptr) return a == b;
  if (one->size() != other->size()) return false;
  for (std::size_t i = 0; i < one->size(); ++i)
    if (!same((*one)[i], (*other)[i])) return false;
  return true;
}

bool same_member(const JsonFields& a, const JsonFields& b, std::string_view key) {
  return same(value_at(a, key), value_at(b, key));
}

}  // namespace proxima::apiserver::rules
