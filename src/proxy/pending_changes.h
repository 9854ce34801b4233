// SPDX-License-Identifier: Apache-2.0
// What happened to objects of one kind and was not looked at yet: any number of changes of an
// object are one, from what it was at first to what it is now. Not for concurrent use.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "kube/cache.h"

namespace proxima::proxy {

template <class Record>
class PendingChanges {
 public:
  void note(const kube::Change<Record>& change) {
    const auto& meta = (change.now ? change.now : change.before)->meta;
    const auto [at, is_new] = changes_.try_emplace({meta.ns, meta.name}, change);
    if (is_new) return;
    at->second.now = change.now;
    // It came and went, and nobody has seen it.
    if (!at->second.before && !at->second.now) changes_.erase(at);
  }
  std::size_t size() const { return changes_.size(); }
  // By name; none is left.
  std::vector<kube::Change<Record>> take() {
    std::vector<kube::Change<Record>> all;
    all.reserve(changes_.size());
    for (auto& [name, change] : changes_) all.push_back(std::move(change));
    changes_.clear();
    return all;
  }

 private:
  std::map<std::pair<Text, Text>, kube::Change<Record>> changes_;
};

}  // namespace proxima::proxy
