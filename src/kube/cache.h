// SPDX-License-Identifier: Apache-2.0
// The objects of one kind as the server has them: one writer, any number of readers and listeners.
// A change costs what changes; a snapshot costs nothing. Safe for concurrent use, with one thread
// that writes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "kube/cache_freshness.h"
#include "kube/cache_snapshot.h"

namespace proxima::kube {

// Null `before`: added. Null `now`: deleted. Never both.
template <class Record>
struct Change {
  Ref<const Record> before;
  Ref<const Record> now;
  // resourceVersion of the change: that of `now`, or of the deletion. 0: not known.
  Version version = 0;

  ObjectKey key() const { return (now ? now : before)->key(); }
};

template <class Record>
Version version_of(const Record& record) {
  if constexpr (requires { record.meta; }) {
    return record.meta.version;
  } else {
    return record.version;
  }
}

template <class Record>
const Text& uid_of(const Record& record) {
  if constexpr (requires { record.meta; }) {
    return record.meta.uid;
  } else {
    return record.uid;
  }
}

template <class Record>
class Cache {
 public:
  using RecordRef = Ref<const Record>;
  using Snapshot = CacheSnapshot<Record>;
  // Called in the order of the changes, by the writer's thread, one at a time, after the cache has
  // changed: it must be quick, and must not write to the cache or subscribe to it. The cache may be
  // ahead of the change that is told.
  using Listener = std::function<void(const Change<Record>&)>;

  Snapshot snapshot() const {
    const std::lock_guard guard(current_mutex_);
    return current_;
  }
  // Whether everything that was there at first is here, and every listener was told.
  bool has_synced() const { return synced_.load(std::memory_order_acquire); }
  // Whether it follows the server at present; kept by who writes.
  CacheFreshness& freshness() { return freshness_; }
  const CacheFreshness& freshness() const { return freshness_; }

  // Tells `listener` first, in this thread, of everything that is there already. A listener that is
  // taken away is not called any more when unsubscribe() returns.
  using Subscription = std::size_t;
  Subscription subscribe(Listener listener);
  void unsubscribe(Subscription subscription);

  // The version of the last list that was read; 0: not known. Read before a snapshot, it is not
  // newer than that: what was written by then and is not in the snapshot is gone.
  Version listed_version() const { return listed_version_.load(std::memory_order_acquire); }

  // For the writer. Nobody is told of what stays the same: see `unchanged`.
  // All that there is, in any order. An object that is the same as before keeps its old record.
  // `version`: the list's; 0 when it is not known.
  void replace(std::vector<RecordRef> all, Version version = 0);
  // What was there before; null when the object is new.
  RecordRef put(RecordRef record);
  // What was there; null, without calling listeners, when there was nothing. `version`: the
  // deletion's; 0 when it is not known.
  RecordRef erase(const ObjectKey& key, Version version = 0);

 private:
  // An object and a version are one content for ever. Versions that are not known say nothing.
  static bool unchanged(const Record& a, const Record& b);
  std::vector<Change<Record>> merge(std::vector<RecordRef>& all, const Snapshot& before,
                                    Version version);
  void tell(const Change<Record>& change);

  std::mutex writer_mutex_;  // held while listeners are told: keeps changes in order for them
  mutable std::mutex current_mutex_;  // held for moments; taken after writer_mutex_
  Snapshot current_;
  std::atomic<bool> synced_{false};
  std::atomic<Version> listed_version_{0};
  CacheFreshness freshness_;
  std::list<std::pair<Subscription, Listener>> listeners_;
  Subscription last_subscription_ = 0;
};

template <class Record>
bool Cache<Record>::unchanged(const Record& a, const Record& b) {
  return version_of(a) != 0 && version_of(a) == version_of(b) && uid_of(a) == uid_of(b);
}

template <class Record>
void Cache<Record>::tell(const Change<Record>& change) {
  for (const auto& [id, listener] : listeners_) listener(change);
}

template <class Record>
typename Cache<Record>::Subscription Cache<Record>::subscribe(Listener listener) {
  const std::lock_guard writer(writer_mutex_);
  snapshot().each([&](const RecordRef& record) { listener({{}, record, version_of(*record)}); });
  listeners_.emplace_back(++last_subscription_, std::move(listener));
  return last_subscription_;
}

template <class Record>
void Cache<Record>::unsubscribe(Subscription subscription) {
  const std::lock_guard writer(writer_mutex_);
  listeners_.remove_if([&](const auto& entry) { return entry.first == subscription; });
}

// Walks both in order; `all` gets the old records of what is unchanged, so that a second list of
// the same objects needs no second memory.
template <class Record>
std::vector<Change<Record>> Cache<Record>::merge(std::vector<RecordRef>& all,
                                                 const Snapshot& before, Version version) {
  std::vector<Change<Record>> changes;
  auto next = all.begin();
  const auto changed = [&changes](const RecordRef& old, const RecordRef& now) {
    changes.push_back({old, now, version_of(*now)});
  };
  before.each([&](const RecordRef& old) {
    while (next != all.end() && (*next)->key() < old->key()) changed({}, *next++);
    if (next == all.end() || old->key() < (*next)->key()) {
      changes.push_back({old, {}, version});
    } else if (unchanged(*old, **next)) {
      *next++ = old;
    } else {
      changed(old, *next++);
    }
  });
  while (next != all.end()) changed({}, *next++);
  return changes;
}

template <class Record>
void Cache<Record>::replace(std::vector<RecordRef> all, Version version) {
  const std::lock_guard writer(writer_mutex_);
  auto less = [](const RecordRef& a, const RecordRef& b) { return a->key() < b->key(); };
  // Of an object that comes twice, because it changed between two pages, the later one counts.
  if (!std::is_sorted(all.begin(), all.end(), less)) std::stable_sort(all.begin(), all.end(), less);
  auto same = [&](const RecordRef& a, const RecordRef& b) { return a->key() == b->key(); };
  std::reverse(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  std::reverse(all.begin(), all.end());
  const auto changes = merge(all, snapshot(), version);
  Snapshot next = Snapshot::of(all);
  {
    const std::lock_guard guard(current_mutex_);
    std::swap(current_, next);
  }
  for (const auto& change : changes) tell(change);
  listed_version_.store(version, std::memory_order_release);
  freshness_.listed();
  synced_.store(true, std::memory_order_release);
}

template <class Record>
typename Cache<Record>::RecordRef Cache<Record>::put(RecordRef record) {
  const std::lock_guard writer(writer_mutex_);
  RecordRef before;
  {
    const std::lock_guard guard(current_mutex_);
    before = current_.put(record);
  }
  if (!before || !unchanged(*before, *record)) tell({before, record, version_of(*record)});
  return before;
}

template <class Record>
typename Cache<Record>::RecordRef Cache<Record>::erase(const ObjectKey& key, Version version) {
  const std::lock_guard writer(writer_mutex_);
  RecordRef before;
  {
    const std::lock_guard guard(current_mutex_);
    before = current_.erase(key);
  }
  if (before) tell({before, {}, version});
  return before;
}

}  // namespace proxima::kube
