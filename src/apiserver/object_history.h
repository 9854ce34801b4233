// SPDX-License-Identifier: Apache-2.0
// The objects as they are, and the latest changes, from which older states are told. Knows nothing
// of files and threads.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "apiserver/store.h"

namespace proxima::apiserver {

class ObjectHistory {
 public:
  struct Limits {
    std::size_t changes = 1;  // at least one is always kept
    std::size_t bytes = 0;    // of objects that only the history holds
  };
  // Begins empty, as of `compacted`.
  ObjectHistory(Limits limits, Revision compacted) : limits_(limits), compacted_(compacted) {}

  // An object that was there at `compacted`, for loading.
  void restore(const ObjectKey& key, StoredObjectPtr object);

  Revision revision() const { return compacted_ + changes_.size(); }
  Revision compacted() const { return compacted_; }
  StoredObjectPtr find(const ObjectKey& key) const;
  std::size_t count(Kind kind) const { return of(kind).size(); }

  // The next change. `object` null: `key` must be there, and goes; then `last` is its last state.
  const Change& put(ObjectKey key, StoredObjectPtr object);
  const Change& remove(ObjectKey key, StoredObjectPtr last);

  // Forgets changes beyond the limits, none after `newest`. What no state can need any more is
  // appended to `expired`.
  void trim(Revision newest, std::vector<Revision>& expired);
  // Forgets changes up to `newest`, the very last excepted.
  void compact(Revision newest, std::vector<Revision>& expired);
  // Takes back every change after `revision`.
  void roll_back(Revision to);

  void scan(Kind kind, std::string_view ns, Revision at, const Store::Position& after,
            const Store::Visit& visit) const;
  // Changes in (after, newest], at most `limit`; nullopt: forgotten.
  std::optional<std::vector<const Change*>> changes(Revision after, Revision newest,
                                                    std::size_t limit) const;

 private:
  using NameView = std::pair<std::string_view, std::string_view>;  // namespace, name
  struct NameLess {
    using is_transparent = void;
    static NameView view(const NameView& name) { return name; }
    static NameView view(const Store::Position& name) { return {name.ns, name.name}; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return view(a) < view(b);
    }
  };
  using Objects = std::map<Store::Position, StoredObjectPtr, NameLess>;
  // What differs from now at some older revision; null: was not there.
  using Differences = std::map<NameView, StoredObjectPtr>;
  struct Range {
    Kind kind;
    std::string_view ns;  // empty: all
    NameView after;
    bool includes(const NameView& name) const {
      return (ns.empty() || name.first == ns) && after < name;
    }
  };

  const Objects& of(Kind kind) const { return objects_[static_cast<std::size_t>(kind)]; }
  Objects& of(Kind kind) { return objects_[static_cast<std::size_t>(kind)]; }
  Differences differences(const Range& range, Revision at) const;
  const Change& append(Change change);
  bool beyond_limits() const;
  void forget_oldest(std::vector<Revision>& expired);

  Limits limits_;
  Revision compacted_;
  std::array<Objects, static_cast<std::size_t>(Kind::IpAddress) + 1> objects_;
  std::deque<Change> changes_;  // revisions compacted_ + 1, + 2, …
  std::size_t bytes_ = 0;       // held by changes_ alone
};

}  // namespace proxima::apiserver
