// SPDX-License-Identifier: Apache-2.0
#include "apiserver/event_faces.h"

#include <boost/json/value.hpp>
#include <string_view>

#include "apiserver/rules/written_form.h"
#include "apiserver/schema.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

struct Rename {
  std::string_view core;
  std::string_view events;
};
constexpr Rename kRenames[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
};

enum class Direction { ToEvents, ToCore };

std::string_view renamed(std::string_view key, Direction direction) {
  for (const Rename& rename : kRenames) {
    if (direction == Direction::ToEvents && rename.core == key) return rename.events;
    if (direction == Direction::ToCore && rename.events == key) return rename.core;
  }
  return key;
}

json::object rename_all(json::object&& object, Direction direction, const ResourceType& type) {
  json::object out;
  out["kind"] = json::string_view(type.name.data(), type.name.size());
  out["apiVersion"] = type.api_version();
  for (auto& [key, value] : object) {
    if (key == "kind" || key == "apiVersion") continue;
    const std::string_view name = renamed({key.data(), key.size()}, direction);
    out[{name.data(), name.size()}] = std::move(value);
  }
  return out;
}

}  // namespace

json::object to_face(const ResourceType& type, json::object stored) {
  if (!has_own_face(type)) return stored;
  // What core/v1 always writes, the other face may leave out.
  return rules::written_form(type_of(type),
                             rename_all(std::move(stored), Direction::ToEvents, type));
}

json::object from_face(const ResourceType& type, json::object shown) {
  if (!has_own_face(type)) return shown;
  return rename_all(std::move(shown), Direction::ToCore, resource_of(type.stored_as));
}

}  // namespace proxima::apiserver
