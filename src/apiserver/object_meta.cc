// SPDX-License-Identifier: Apache-2.0
#include "apiserver/object_meta.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/check.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

// Stored objects were accepted with this depth, so they are read with it.
constexpr std::size_t kMaxJsonDepth = 512;

json::string_view view(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const json::string& text) { return {text.data(), text.size()}; }

json::value parse_text(std::string_view text, json::error_code& error) {
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  return json::parse(view(text), error, {}, options);
}

bool flag_field(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(view(key));
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace

const json::object& child_object(const json::object& object, std::string_view key) {
  static const json::object empty;
  const json::value* value = object.if_contains(view(key));
  return value != nullptr && value->is_object() ? value->get_object() : empty;
}

std::string_view text_field(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(view(key));
  return value != nullptr && value->is_string() ? view(value->get_string()) : std::string_view();
}

std::optional<std::int64_t> integer_field(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(view(key));
  if (value == nullptr) return std::nullopt;
  if (value->is_int64()) return value->get_int64();
  if (value->is_uint64() && std::in_range<std::int64_t>(value->get_uint64()))
    return static_cast<std::int64_t>(value->get_uint64());
  return std::nullopt;
}

const json::object& metadata_of(const json::object& object) {
  return child_object(object, "metadata");
}

json::object& metadata_of(json::object& object) {
  json::value& value = object["metadata"];
  if (!value.is_object()) value.emplace_object();
  return value.get_object();
}

std::string_view meta_text(const json::object& object, std::string_view key) {
  return text_field(metadata_of(object), key);
}

std::vector<std::string> finalizers_of(const json::object& object) {
  std::vector<std::string> out;
  const json::value* list = metadata_of(object).if_contains("finalizers");
  if (list == nullptr || !list->is_array()) return out;
  for (const json::value& item : list->get_array())
    if (item.is_string()) out.emplace_back(view(item.get_string()));
  return out;
}

void set_finalizers(json::object& object, const std::vector<std::string>& finalizers) {
  json::object& meta = metadata_of(object);
  if (finalizers.empty()) {
    meta.erase("finalizers");
    return;
  }
  json::array list;
  for (const std::string& finalizer : finalizers) list.emplace_back(finalizer);
  meta["finalizers"] = std::move(list);
}

std::vector<OwnerReference> owners_of(const json::object& object) {
  std::vector<OwnerReference> out;
  const json::value* list = metadata_of(object).if_contains("ownerReferences");
  if (list == nullptr || !list->is_array()) return out;
  for (const json::value& item : list->get_array()) {
    if (!item.is_object()) continue;
    const json::object& owner = item.get_object();
    out.push_back({std::string(text_field(owner, "apiVersion")),
                   std::string(text_field(owner, "kind")), std::string(text_field(owner, "name")),
                   std::string(text_field(owner, "uid")), flag_field(owner, "blockOwnerDeletion")});
  }
  return out;
}

bool is_json_object(std::string_view text) {
  json::error_code error;
  const json::value value = parse_text(text, error);
  return !error && value.is_object();
}

json::object parse_stored(std::string_view text) {
  json::error_code error;
  json::value value = parse_text(text, error);
  PROXIMA_CHECK(!error && value.is_object());
  return std::move(value.get_object());
}

std::string stored_prefix(const ResourceType& type) {
  return "{\"kind\":\"" + std::string(type.name) + "\",\"apiVersion\":\"" + type.api_version() +
         "\",";
}

std::string stored_text(const ResourceType& type, const json::object& object) {
  std::string out = stored_prefix(type);
  out += "\"metadata\":" + json::serialize(metadata_of(object));
  for (const auto& [key, value] : object) {
    if (key == "kind" || key == "apiVersion" || key == "metadata") continue;
    out += "," + json::serialize(key) + ":" + json::serialize(value);
  }
  return out + "}";
}

}  // namespace proxima::apiserver
