// SPDX-License-Identifier: Apache-2.0
// Deletes objects whose owners are all gone, and does what a deletion in the foreground or one that
// leaves orphans waits for. Works in small steps on the server's loop.
//
// An owner of a kind that is not served here is taken to be there: what cannot be looked up is no
// reason to delete.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apiserver/object_meta.h"
#include "apiserver/object_registry.h"

namespace proxima::apiserver {

class GarbageCollector {
 public:
  // Looks at everything that is stored once. `wake` is called when there is something to do.
  GarbageCollector(ObjectRegistry& registry, std::function<void()> wake);

  // Looks at `most` objects at most; whether there are more.
  bool step(std::size_t most);

 private:
  using Object = boost::json::object;

  void changed(const ObjectKey& key, const Object* before, const Object* after);
  void index(const ObjectKey& key, const Object& object);
  void forget(const ObjectKey& key, const Object& object);
  void enqueue(const ObjectKey& key);
  void enqueue_dependents(std::string_view uid);

  void look_at(const ObjectKey& key);
  void collect(const ObjectKey& key, const Object& object);
  void finish_foreground(const ObjectKey& key, const Object& object);
  void finish_orphaning(const ObjectKey& key, const Object& object);
  void drop_owners(const ObjectKey& key, const std::set<std::string>& uids);
  void drop_finalizer(const ObjectKey& key, std::string_view finalizer);

  enum class Owner { There, Leaving, Gone };
  Owner state_of(const OwnerReference& reference, const std::string& ns) const;

  ObjectRegistry& registry_;
  std::function<void()> wake_;
  // By key, and whether it keeps the owner from going before it.
  using Dependents = std::map<ObjectKey, bool>;
  // Up to kDependentsAtOnce of them, from where the last call for this owner ended; empty: that was
  // all.
  std::vector<ObjectKey> next_dependents(const std::string& uid);

  std::map<std::string, Dependents, std::less<>> dependents_;  // by the owner's uid
  std::map<std::string, ObjectKey> reached_;  // the last one that was taken, by the owner's uid
  std::set<ObjectKey> queue_;
};

}  // namespace proxima::apiserver
