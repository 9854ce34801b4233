// SPDX-License-Identifier: Apache-2.0
#include "simulation/model_store.h"

#include "base/timestamp.h"

namespace proxima::simulation {
namespace {

constexpr std::size_t kHistoryMax = 4000;

ObjectText rendered(const json::object& object) {
  return std::make_shared<const std::string>(json::serialize(object));
}

// Whether both differ in nothing but what the server itself writes.
bool says_the_same(json::object a, json::object b) {
  for (json::object* one : {&a, &b}) {
    json::object& meta = metadata_of(*one);
    meta.erase("resourceVersion");
    meta.erase("generation");
  }
  return a == b;
}

// As upstream counts it: what stands outside of the metadata, and labels.
bool is_another_generation(json::object before, json::object now) {
  const json::object* old_labels = object_at(metadata_of(before), "labels");
  const json::object* labels = object_at(metadata_of(now), "labels");
  const bool same_labels = (old_labels == nullptr) == (labels == nullptr) &&
                           (labels == nullptr || *labels == *old_labels);
  before.erase("metadata");
  now.erase("metadata");
  before.erase("status");
  now.erase("status");
  return !same_labels || before != now;
}

}  // namespace

std::string text_at(const json::object& object, std::string_view field) {
  const json::value* value = object.if_contains(field);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

const json::object* object_at(const json::object& object, std::string_view field) {
  const json::value* value = object.if_contains(field);
  return value != nullptr && value->is_object() ? &value->get_object() : nullptr;
}

std::string metadata_text(const json::object& object, std::string_view field) {
  const json::object* meta = object_at(object, "metadata");
  return meta == nullptr ? std::string() : text_at(*meta, field);
}

json::object& metadata_of(json::object& object) {
  json::value& meta = object["metadata"];
  if (!meta.is_object()) meta.emplace_object();
  return meta.get_object();
}

std::string key_of(const json::object& object) {
  const std::string ns = metadata_text(object, "namespace");
  return (ns.empty() ? "" : ns + "/") + metadata_text(object, "name");
}

const ModelStore::Objects& ModelStore::all(std::string_view kind) const {
  static const Objects nothing;
  const auto found = kinds_.find(kind);
  return found == kinds_.end() ? nothing : found->second;
}

const json::object* ModelStore::find(std::string_view kind, std::string_view key) const {
  const Objects& objects = all(kind);
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : &found->second.object;
}

const StoredObject& ModelStore::put(std::string_view kind, json::object object,
                                    std::int64_t wall_seconds) {
  Objects& objects = kinds_[std::string(kind)];
  const std::string key = key_of(object);
  const auto found = objects.find(key);
  json::object& meta = metadata_of(object);
  ObjectText before;
  if (found == objects.end()) {
    meta["uid"] = "uid-" + std::to_string(++last_uid_);
    meta["creationTimestamp"] = time_text(WallTime(std::chrono::seconds(wall_seconds)));
    meta["generation"] = 1;
  } else {
    const json::object& old_meta = found->second.object.at("metadata").as_object();
    meta["uid"] = old_meta.at("uid");
    meta["creationTimestamp"] = old_meta.at("creationTimestamp");
    if (says_the_same(found->second.object, object)) return found->second;
    const std::int64_t generation = old_meta.at("generation").as_int64();
    meta["generation"] =
        is_another_generation(found->second.object, object) ? generation + 1 : generation;
    before = found->second.text;
  }
  meta["resourceVersion"] = std::to_string(++version_);
  ObjectText text = rendered(object);
  StoredObject& stored = objects[key];
  stored = {std::move(object), text};
  note({version_, std::string(kind), key, std::move(before), std::move(text), nullptr});
  return stored;
}

bool ModelStore::erase(std::string_view kind, std::string_view key) {
  const auto objects = kinds_.find(kind);
  if (objects == kinds_.end()) return false;
  const auto found = objects->second.find(key);
  if (found == objects->second.end()) return false;
  json::object last = std::move(found->second.object);
  ObjectText before = std::move(found->second.text);
  objects->second.erase(found);
  metadata_of(last)["resourceVersion"] = std::to_string(++version_);
  note({version_, std::string(kind), std::string(key), std::move(before), nullptr, rendered(last)});
  return true;
}

void ModelStore::note(StoreChange change) {
  history_.push_back(std::move(change));
  if (history_.size() > kHistoryMax) {
    oldest_ = std::max(oldest_, history_.front().version);
    history_.pop_front();
  }
  // A copy: whoever is told may change something in turn.
  const StoreChange told = history_.back();
  if (on_change_) on_change_(told);
}

std::map<std::string, ObjectText> ModelStore::at(std::string_view kind,
                                                 std::uint64_t version) const {
  std::map<std::string, ObjectText> objects;
  for (const auto& [key, stored] : all(kind)) objects.emplace(key, stored.text);
  for (auto change = history_.rbegin(); change != history_.rend() && change->version > version;
       ++change) {
    if (change->kind != kind) continue;
    if (change->before == nullptr) {
      objects.erase(change->key);
    } else {
      objects[change->key] = change->before;
    }
  }
  return objects;
}

}  // namespace proxima::simulation
