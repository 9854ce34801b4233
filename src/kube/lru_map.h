// SPDX-License-Identifier: Apache-2.0
// A map from text that holds so many entries and then forgets the one that was not used for the
// longest time. Not safe for concurrent use.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace proxima::kube {

template <class Value>
class LruMap {
 public:
  explicit LruMap(std::size_t limit) : limit_(limit) {}

  // Null when it is not there; counts as use. Valid until the next call.
  Value* find(const std::string& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }
  Value& put(const std::string& key, Value value) {
    if (Value* present = find(key)) return *present = std::move(value);
    entries_.emplace_front(key, std::move(value));
    index_.emplace(key, entries_.begin());
    if (entries_.size() > limit_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
    return entries_.front().second;
  }
  std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<std::string, Value>>;

  std::size_t limit_;
  Entries entries_;  // the latest first
  std::unordered_map<std::string, typename Entries::iterator> index_;
};

}  // namespace proxima::kube
