// SPDX-License-Identifier: Apache-2.0
// Empties namespaces that are being deleted, and lets them go when nothing is left in them. Works
// in small steps on the server's loop.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "apiserver/object_registry.h"

namespace proxima::apiserver {

class NamespaceCleaner {
 public:
  // Takes up what an earlier server left. `wake` is called when there is something to do.
  NamespaceCleaner(ObjectRegistry& registry, std::function<void()> wake);

  // Deletes `most` objects at most; whether there is more to do at once. What is held by
  // finalizers or a grace period is looked at again when it changes.
  bool step(std::size_t most);

 private:
  void enqueue(const std::string& ns);
  // Whether another look at this namespace may find something to delete.
  bool clean(const std::string& ns, std::size_t& budget);
  void finalize(const std::string& ns);

  ObjectRegistry& registry_;
  std::function<void()> wake_;
  std::set<std::string> terminating_;  // all of them
  std::set<std::string> queue_;
};

}  // namespace proxima::apiserver
