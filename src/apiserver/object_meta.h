// SPDX-License-Identifier: Apache-2.0
// Reading and writing the metadata that every object has. What is missing reads as empty.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"

namespace proxima::apiserver {

// The object under `key`; an empty one that lives for ever when there is none.
const boost::json::object& child_object(const boost::json::object& object, std::string_view key);
// "" when it is missing or no text.
std::string_view text_field(const boost::json::object& object, std::string_view key);
std::optional<std::int64_t> integer_field(const boost::json::object& object, std::string_view key);

const boost::json::object& metadata_of(const boost::json::object& object);
// Made when missing.
boost::json::object& metadata_of(boost::json::object& object);
std::string_view meta_text(const boost::json::object& object, std::string_view key);

// Finalizers by which a deletion says what becomes of dependents.
inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

std::vector<std::string> finalizers_of(const boost::json::object& object);
void set_finalizers(boost::json::object& object, const std::vector<std::string>& finalizers);
inline bool is_deleting(const boost::json::object& object) {
  return !meta_text(object, "deletionTimestamp").empty();
}

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks_deletion = false;
};
std::vector<OwnerReference> owners_of(const boost::json::object& object);

bool is_json_object(std::string_view text);
// Text that the store made: anything else is a broken invariant.
boost::json::object parse_stored(std::string_view text);
// As the store keeps it: kind, apiVersion and metadata first, the rest as it came.
std::string stored_text(const ResourceType& type, const boost::json::object& object);
// What every stored text of this type begins with: {"kind":"Pod","apiVersion":"v1",
std::string stored_prefix(const ResourceType& type);

}  // namespace proxima::apiserver
