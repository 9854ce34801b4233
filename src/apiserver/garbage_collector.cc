// SPDX-License-Identifier: Apache-2.0
#include "apiserver/garbage_collector.h"

#include <algorithm>
#include <boost/json/array.hpp>

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

const ResourceType* type_of_owner(const OwnerReference& owner) {
  for (const ResourceType& type : served_resources())
    if (type.name == owner.kind && type.api_version() == owner.api_version) return &type;
  return nullptr;
}

bool has_finalizer(const json::object& object, std::string_view finalizer) {
  const auto all = finalizers_of(object);
  return std::find(all.begin(), all.end(), finalizer) != all.end();
}

// An owner of many has its turn again and again, so that nobody waits for all of them.
constexpr std::size_t kDependentsAtOnce = 16;

json::object without_owners(json::object object, const std::set<std::string>& uids) {
  json::value* list = metadata_of(object).if_contains("ownerReferences");
  if (list == nullptr || !list->is_array()) return object;
  json::array kept;
  for (const json::value& owner : list->get_array()) {
    const bool goes =
        owner.is_object() && uids.contains(std::string(text_field(owner.get_object(), "uid")));
    if (!goes) kept.push_back(owner);
  }
  if (kept.empty()) {
    metadata_of(object).erase("ownerReferences");
  } else {
    *list = std::move(kept);
  }
  return object;
}

ResourcePath path_to(const ObjectKey& key) { return {&resource_of(key.kind), key.ns, key.name}; }

}  // namespace

GarbageCollector::GarbageCollector(ObjectRegistry& registry, std::function<void()> wake)
    : registry_(registry), wake_(std::move(wake)) {
  const Store& store = registry_.store();
  for (const ResourceType& type : served_resources()) {
    if (type.kind != type.stored_as) continue;
    store.scan(type.kind, {}, store.revision(), {},
               [this](const ObjectKey& key, const StoredObjectPtr& object) {
                 // Most objects have no owner and are not on their way out: no need to parse them.
                 const std::string& text = object->json;
                 if (text.find("\"ownerReferences\"") == std::string::npos &&
                     text.find("\"deletionTimestamp\"") == std::string::npos)
                   return true;
                 const json::object parsed = parse_stored(text);
                 index(key, parsed);
                 enqueue(key);
                 return true;
               });
  }
  registry_.observe([this](const ObjectKey& key, const Object* before, const Object* after) {
    changed(key, before, after);
  });
}

void GarbageCollector::index(const ObjectKey& key, const Object& object) {
  for (const OwnerReference& owner : owners_of(object))
    dependents_[owner.uid].insert_or_assign(key, owner.blocks_deletion);
}

void GarbageCollector::forget(const ObjectKey& key, const Object& object) {
  for (const OwnerReference& owner : owners_of(object)) {
    const auto found = dependents_.find(owner.uid);
    if (found == dependents_.end()) continue;
    found->second.erase(key);
    if (found->second.empty()) dependents_.erase(found);
  }
}

void GarbageCollector::enqueue(const ObjectKey& key) {
  if (queue_.insert(key).second && queue_.size() == 1) wake_();
}

void GarbageCollector::enqueue_dependents(std::string_view uid) {
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return;
  for (const auto& [key, blocks] : found->second) enqueue(key);
}

std::vector<ObjectKey> GarbageCollector::next_dependents(const std::string& uid) {
  std::vector<ObjectKey> out;
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return out;
  const auto reached = reached_.find(uid);
  auto next = reached == reached_.end() ? found->second.begin()
                                        : found->second.upper_bound(reached->second);
  while (next != found->second.end() && out.size() < kDependentsAtOnce)
    out.push_back((next++)->first);
  if (!out.empty()) reached_.insert_or_assign(uid, out.back());
  return out;
}

void GarbageCollector::changed(const ObjectKey& key, const Object* before, const Object* after) {
  if (before != nullptr) forget(key, *before);
  if (after != nullptr) index(key, *after);
  if (after != nullptr && (!owners_of(*after).empty() || is_deleting(*after))) enqueue(key);
  if (after != nullptr || before == nullptr) return;
  reached_.erase(std::string(meta_text(*before, "uid")));
  enqueue_dependents(meta_text(*before, "uid"));
  // Owners that waited for it.
  for (const OwnerReference& owner : owners_of(*before))
    if (const ResourceType* type = type_of_owner(owner))
      enqueue({type->stored_as, type->namespaced ? key.ns : std::string(), owner.name});
}

bool GarbageCollector::step(std::size_t most) {
  for (std::size_t i = 0; i < most && !queue_.empty(); ++i) {
    const ObjectKey key = queue_.extract(queue_.begin()).value();
    look_at(key);
  }
  return !queue_.empty();
}

void GarbageCollector::look_at(const ObjectKey& key) {
  const StoredObjectPtr stored = registry_.store().find(key);
  if (!stored) return;
  const Object object = parse_stored(stored->json);
  if (is_deleting(object)) {
    if (has_finalizer(object, kForegroundFinalizer)) return finish_foreground(key, object);
    if (has_finalizer(object, kOrphanFinalizer)) return finish_orphaning(key, object);
    return;
  }
  collect(key, object);
}

GarbageCollector::Owner GarbageCollector::state_of(const OwnerReference& reference,
                                                   const std::string& ns) const {
  const ResourceType* type = type_of_owner(reference);
  if (type == nullptr) return Owner::There;
  const StoredObjectPtr stored = registry_.store().find(
      {type->stored_as, type->namespaced ? ns : std::string(), reference.name});
  if (!stored) return Owner::Gone;
  const Object owner = parse_stored(stored->json);
  if (meta_text(owner, "uid") != reference.uid) return Owner::Gone;
  return is_deleting(owner) && has_finalizer(owner, kForegroundFinalizer) ? Owner::Leaving
                                                                          : Owner::There;
}

void GarbageCollector::collect(const ObjectKey& key, const Object& object) {
  std::set<std::string> ending;
  bool solid = false;
  bool leaving = false;
  for (const OwnerReference& owner : owners_of(object)) {
    const Owner state = state_of(owner, key.ns);
    solid = solid || state == Owner::There;
    leaving = leaving || state == Owner::Leaving;
    if (state != Owner::There) ending.insert(owner.uid);
  }
  if (ending.empty()) return;
  if (solid) return drop_owners(key, ending);
  DeleteOptions options;
  options.uid = meta_text(object, "uid");
  const bool has_dependents = dependents_.contains(options.uid);
  if (leaving && has_dependents) options.propagation = Propagation::Foreground;
  static_cast<void>(registry_.remove(resource_of(key.kind), key, std::move(options)));
}

void GarbageCollector::finish_foreground(const ObjectKey& key, const Object& object) {
  const std::string uid(meta_text(object, "uid"));
  const std::vector<ObjectKey> next = next_dependents(uid);
  for (const ObjectKey& dependent : next) enqueue(dependent);
  if (!next.empty()) return enqueue(key);
  if (const auto found = dependents_.find(uid); found != dependents_.end())
    for (const auto& [dependent, blocks] : found->second)
      if (blocks) return;
  reached_.erase(uid);
  drop_finalizer(key, kForegroundFinalizer);
}

void GarbageCollector::finish_orphaning(const ObjectKey& key, const Object& object) {
  const std::string uid(meta_text(object, "uid"));
  const std::vector<ObjectKey> next = next_dependents(uid);
  for (const ObjectKey& dependent : next) drop_owners(dependent, {uid});
  if (!next.empty()) return enqueue(key);
  reached_.erase(uid);
  drop_finalizer(key, kOrphanFinalizer);
}

void GarbageCollector::drop_owners(const ObjectKey& key, const std::set<std::string>& uids) {
  const auto change = [&](const Object* present) -> Outcome<Object> {
    return without_owners(*present, uids);
  };
  if (registry_.store().find(key)) static_cast<void>(registry_.update(path_to(key), change, {}));
}

void GarbageCollector::drop_finalizer(const ObjectKey& key, std::string_view finalizer) {
  const auto change = [&](const Object* present) -> Outcome<Object> {
    Object object = *present;
    auto finalizers = finalizers_of(object);
    std::erase(finalizers, finalizer);
    set_finalizers(object, finalizers);
    return object;
  };
  if (registry_.store().find(key)) static_cast<void>(registry_.update(path_to(key), change, {}));
}

}  // namespace proxima::apiserver
