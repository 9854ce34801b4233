// SPDX-License-Identifier: Apache-2.0
// All objects of one kind at one moment. A copy costs nothing and stays as it is; any thread may
// read it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/persistent_map.h"
#include "kube/cache_order.h"

namespace proxima::kube {

template <class Record>
class CacheSnapshot {
 public:
  using RecordRef = Ref<const Record>;

  std::size_t size() const { return by_key_.size(); }
  // Null when there is none.
  RecordRef find(const ObjectKey& key) const { return by_key_.get(key); }
  // The same, borrowed from this snapshot.
  const Record* peek(const ObjectKey& key) const { return by_key_.find(key); }

  // visit(const RecordRef&) in the order of namespaces and names.
  template <class Visit>
  void each(Visit visit) const;
  template <class Visit>
  void each_in_namespace(std::string_view ns, Visit visit) const;
  // Pods of a node; slices of a Service. In the order of namespaces and names.
  template <class Visit>
  void each_at(std::string_view place_ns, std::string_view place, Visit visit) const;

 private:
  template <class>
  friend class Cache;  // the only one that makes and changes them

  RecordRef put(RecordRef record);
  RecordRef erase(const ObjectKey& key);
  // `records` are in ascending order.
  static CacheSnapshot of(const std::vector<RecordRef>& records);

  PersistentMap<Record, ByKey> by_key_;
  PersistentMap<Record, ByPlace> by_place_;
};

template <class Record>
template <class Visit>
void CacheSnapshot<Record>::each(Visit visit) const {
  by_key_.each([&](const RecordRef& record) {
    visit(record);
    return true;
  });
}

template <class Record>
template <class Visit>
void CacheSnapshot<Record>::each_in_namespace(std::string_view ns, Visit visit) const {
  by_key_.each_from(ObjectKey{ns, {}}, [&](const RecordRef& record) {
    if (record->key().ns != ns) return false;
    visit(record);
    return true;
  });
}

template <class Record>
template <class Visit>
void CacheSnapshot<Record>::each_at(std::string_view place_ns, std::string_view place,
                                    Visit visit) const {
  static_assert(SecondOrder<Record>::kExists, "this kind has no second order");
  by_place_.each_from(PlacedKey{place_ns, place, {}}, [&](const RecordRef& record) {
    const PlacedKey found = SecondOrder<Record>::placed(*record);
    if (found.ns != place_ns || found.place != place) return false;
    visit(record);
    return true;
  });
}

template <class Record>
typename CacheSnapshot<Record>::RecordRef CacheSnapshot<Record>::put(RecordRef record) {
  RecordRef replaced = by_key_.put(record);
  if constexpr (SecondOrder<Record>::kExists) {
    using Second = SecondOrder<Record>;
    const bool moves =
        replaced && Second::has(*replaced) && Second::placed(*replaced) != Second::placed(*record);
    if (moves) by_place_.erase(Second::placed(*replaced));
    if (Second::has(*record)) by_place_.put(std::move(record));
  }
  return replaced;
}

template <class Record>
typename CacheSnapshot<Record>::RecordRef CacheSnapshot<Record>::erase(const ObjectKey& key) {
  RecordRef removed = by_key_.erase(key);
  if constexpr (SecondOrder<Record>::kExists) {
    if (removed && SecondOrder<Record>::has(*removed))
      by_place_.erase(SecondOrder<Record>::placed(*removed));
  }
  return removed;
}

template <class Record>
CacheSnapshot<Record> CacheSnapshot<Record>::of(const std::vector<RecordRef>& records) {
  CacheSnapshot snapshot;
  snapshot.by_key_ = PersistentMap<Record, ByKey>::from_sorted(records);
  if constexpr (SecondOrder<Record>::kExists) {
    std::vector<RecordRef> placed;
    placed.reserve(records.size());
    for (const RecordRef& record : records)
      if (SecondOrder<Record>::has(*record)) placed.push_back(record);
    // They are in the order of their keys, so only the places are left to look at.
    std::stable_sort(placed.begin(), placed.end(), [](const RecordRef& a, const RecordRef& b) {
      return SecondOrder<Record>::place_less(*a, *b);
    });
    snapshot.by_place_ = PersistentMap<Record, ByPlace>::from_sorted(placed);
  }
  return snapshot;
}

}  // namespace proxima::kube
