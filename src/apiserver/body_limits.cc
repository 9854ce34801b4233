// SPDX-License-Identifier: Apache-2.0
#include "apiserver/body_limits.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "base/json_values.h"

namespace proxima::apiserver {
namespace {

std::size_t count_members(const boost::json::object& object, std::size_t enough);

std::size_t count_value(const boost::json::value& value, std::size_t enough) {
  if (const auto* object = value.if_object()) return count_members(*object, enough);
  std::size_t count = 1;
  if (const auto* array = value.if_array())
    for (const boost::json::value& item : *array)
      if (count <= enough) count += count_value(item, enough - count);
  return count;
}

std::size_t count_members(const boost::json::object& object, std::size_t enough) {
  std::size_t count = 1;
  for (const auto& member : object)
    if (count <= enough) count += count_value(member.value(), enough - count);
  return count;
}

// With quotes and a comma or colon.
std::size_t string_bytes(std::string_view text) {
  std::size_t bytes = text.size() + 3;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) bytes += 5;  // \u0001
    if (c == '"' || c == '\\') ++bytes;
  }
  return bytes;
}

std::size_t object_bytes(const boost::json::object& object);

// About as many as its JSON text has.
std::size_t value_bytes(const boost::json::value& value) {
  if (const auto* object = value.if_object()) return object_bytes(*object);
  if (const auto* text = value.if_string()) return string_bytes(*text);
  std::size_t bytes = 8;
  if (const auto* array = value.if_array())
    for (const boost::json::value& item : *array) bytes += value_bytes(item);
  return bytes;
}

std::size_t object_bytes(const boost::json::object& object) {
  std::size_t bytes = 3;
  for (const auto& member : object)
    bytes += string_bytes(member.key()) + value_bytes(member.value());
  return bytes;
}

}  // namespace

std::size_t count_values(const boost::json::value& value, std::size_t enough) {
  return count_value(value, enough);
}

StatusError too_many_values() {
  return request_too_large("the object has more than " + std::to_string(kMaxBodyValues) +
                           " values (fields and list items)");
}

Outcome<Unit> check_body_values(std::string_view json) {
  if (json_values_at_most(json) > kMaxBodyValues) return too_many_values();
  return Unit{};
}

Outcome<Unit> check_yaml_bytes(std::string_view yaml) {
  if (yaml.size() <= kMaxYamlBytes) return Unit{};
  return request_too_large("limit for YAML is " + std::to_string(kMaxYamlBytes) +
                           " bytes; use JSON");
}

Outcome<Unit> check_object_size(const boost::json::object& object) {
  if (count_members(object, kMaxBodyValues) > kMaxBodyValues) return too_many_values();
  const std::size_t bytes = object_bytes(object);
  if (bytes <= kMaxObjectBytes) return Unit{};
  return request_too_large("the object would have about " + std::to_string(bytes) +
                           " bytes, limit is " + std::to_string(kMaxObjectBytes));
}

}  // namespace proxima::apiserver
