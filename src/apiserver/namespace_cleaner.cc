// SPDX-License-Identifier: Apache-2.0
#include "apiserver/namespace_cleaner.h"

#include <boost/json/array.hpp>

#include "apiserver/object_meta.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

constexpr std::string_view kFinalizer = "kubernetes";

}  // namespace

NamespaceCleaner::NamespaceCleaner(ObjectRegistry& registry, std::function<void()> wake)
    : registry_(registry), wake_(std::move(wake)) {
  const auto look = [this](const ObjectKey& key, const json::object* object) {
    if (key.kind != Kind::Namespace || object == nullptr || !is_deleting(*object)) return;
    terminating_.insert(key.name);
    enqueue(key.name);
  };
  const Store& store = registry_.store();
  store.scan(Kind::Namespace, {}, store.revision(), {},
             [&](const ObjectKey& key, const StoredObjectPtr& object) {
               const json::object parsed = parse_stored(object->json);
               look(key, &parsed);
               return true;
             });
  registry_.observe(
      [this, look](const ObjectKey& key, const json::object*, const json::object* after) {
        look(key, after);
        if (key.kind == Kind::Namespace && after == nullptr) terminating_.erase(key.name);
        if (after == nullptr && terminating_.contains(key.ns)) enqueue(key.ns);
      });
}

void NamespaceCleaner::enqueue(const std::string& ns) {
  if (queue_.insert(ns).second && queue_.size() == 1) wake_();
}

bool NamespaceCleaner::step(std::size_t most) {
  std::size_t budget = most;
  while (budget > 0 && !queue_.empty()) {
    const std::string ns = queue_.extract(queue_.begin()).value();
    if (clean(ns, budget)) queue_.insert(ns);
  }
  return !queue_.empty();
}

bool NamespaceCleaner::clean(const std::string& ns, std::size_t& budget) {
  const Store& store = registry_.store();
  std::vector<ObjectKey> keys;
  bool empty = true;
  for (const ResourceType& type : served_resources()) {
    if (!type.namespaced || type.kind != type.stored_as) continue;
    store.scan(type.kind, ns, store.revision(), {},
               [&](const ObjectKey& key, const StoredObjectPtr& object) {
                 empty = false;
                 if (object->json.find("\"deletionTimestamp\"") != std::string::npos &&
                     is_deleting(parse_stored(object->json)))
                   return true;
                 keys.push_back(key);
                 return keys.size() < budget;
               });
    if (keys.size() >= budget) break;
  }
  for (const ObjectKey& key : keys) {
    static_cast<void>(registry_.remove(resource_of(key.kind), key, {}));
    --budget;
  }
  if (empty) finalize(ns);
  if (budget > 0) --budget;
  return !keys.empty();
}

void NamespaceCleaner::finalize(const std::string& ns) {
  const ResourcePath path{&resource_of(Kind::Namespace), {}, ns, PathPart::Finalize};
  const auto change = [](const json::object* present) -> Outcome<json::object> {
    json::object object = *present;
    json::array kept;
    const json::value* list = child_object(object, "spec").if_contains("finalizers");
    if (list != nullptr && list->is_array()) {
      for (const json::value& item : list->get_array())
        if (!item.is_string() ||
            item.get_string() != json::string_view(kFinalizer.data(), kFinalizer.size()))
          kept.push_back(item);
    }
    object["spec"] = {{"finalizers", std::move(kept)}};
    return object;
  };
  if (registry_.store().find({Kind::Namespace, {}, ns}))
    static_cast<void>(registry_.update(path, change, {}));
}

}  // namespace proxima::apiserver
