// SPDX-License-Identifier: Apache-2.0
// Finds the value that equals another one, so that equal values are held once. It holds values too,
// and lets those go that nobody else holds whenever it has doubled: what comes and goes leaves
// nothing behind, and a look costs the same over time. For one thread; the values may go anywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_set>

namespace proxima::kube {

// Handle: Text or Ref. Hash and Equal also take whatever is looked for.
template <class Handle, class Hash, class Equal>
class SharedTable {
 public:
  // The handle that equals `key`, or the one that make() makes.
  template <class Key, class Make>
  Handle share(const Key& key, Make make) {
    if (const auto found = handles_.find(key); found != handles_.end()) return *found;
    if (handles_.size() >= sweep_at_) sweep();
    return *handles_.insert(make()).first;
  }
  std::size_t size() const { return handles_.size(); }

 private:
  static constexpr std::size_t kLeastSweep = 1024;

  void sweep() {
    std::erase_if(handles_, [](const Handle& handle) { return handle.is_unique(); });
    sweep_at_ = std::max(kLeastSweep, 2 * handles_.size());
  }

  std::unordered_set<Handle, Hash, Equal> handles_;
  std::size_t sweep_at_ = kLeastSweep;
};

}  // namespace proxima::kube
