// SPDX-License-Identifier: Apache-2.0
// What the model of the API server stores: objects of all kinds, one version for all of them, and
// the changes of the last while.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace proxima::simulation {

namespace json = boost::json;

using ObjectText = std::shared_ptr<const std::string>;  // an object as JSON; null: there is none

struct StoredObject {
  json::object object;
  ObjectText text;
};

struct StoreChange {
  std::uint64_t version = 0;
  std::string kind;  // plural
  std::string key;   // "shop/web", "node-1"
  ObjectText before;
  ObjectText now;
  ObjectText last;  // of a deletion: the object with the version of that
};

class ModelStore {
 public:
  using Objects = std::map<std::string, StoredObject, std::less<>>;
  using OnChange = std::function<void(const StoreChange&)>;

  void on_change(OnChange listener) { on_change_ = std::move(listener); }

  std::uint64_t version() const { return version_; }
  // What is older is forgotten.
  std::uint64_t oldest() const { return oldest_; }
  void forget_history() { oldest_ = version_; }

  const Objects& all(std::string_view kind) const;
  // Null when there is none.
  const json::object* find(std::string_view kind, std::string_view key) const;
  // Gives it a version, and what every object has: uid and times of one that is new. The result is
  // what is stored. An object that is stored already as it is keeps its version.
  const StoredObject& put(std::string_view kind, json::object object, std::int64_t wall_seconds);
  bool erase(std::string_view kind, std::string_view key);

  // As they were at `version`, which is not older than oldest().
  std::map<std::string, ObjectText> at(std::string_view kind, std::uint64_t version) const;
  const std::deque<StoreChange>& history() const { return history_; }

 private:
  void note(StoreChange change);

  std::uint64_t version_ = 1000;
  std::uint64_t oldest_ = 1000;
  std::uint64_t last_uid_ = 0;
  std::map<std::string, Objects, std::less<>> kinds_;
  std::deque<StoreChange> history_;
  OnChange on_change_;
};

// "shop/web", "node-1".
std::string key_of(const json::object& object);
json::object& metadata_of(json::object& object);
// "" when it is not there or no text.
std::string text_at(const json::object& object, std::string_view field);
std::string metadata_text(const json::object& object, std::string_view field);
// Null when it is not there or no object.
const json::object* object_at(const json::object& object, std::string_view field);

}  // namespace proxima::simulation
