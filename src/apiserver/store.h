// SPDX-License-Identifier: Apache-2.0
// All objects, their history, and the file that keeps them. The current state and a window of
// changes are in memory; every change is a row in SQLite, and counts as durable once its batch is
// committed. One thread (the server's loop) uses it; commits happen on a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"
#include "base/result.h"

namespace proxima::apiserver {

using Revision = std::uint64_t;  // the resourceVersion of the whole store

struct ObjectKey {
  Kind kind = Kind::Namespace;
  std::string ns;  // empty for cluster-wide kinds
  std::string name;
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

// Immutable and shared by the state, the history and whoever is sending it.
struct StoredObject {
  Revision revision = 0;
  std::string json;  // compact, resourceVersion included
};
using StoredObjectPtr = std::shared_ptr<const StoredObject>;

enum class ChangeType : std::uint8_t { Added, Modified, Deleted };

struct Change {
  Revision revision = 0;
  ChangeType type = ChangeType::Added;
  ObjectKey key;
  StoredObjectPtr object;  // after; for Deleted the last state, with the revision of the deletion
  StoredObjectPtr before;  // null for Added
};

struct StoreOptions {
  std::string path;  // of the file, or ":memory:"
  // What a power loss may take: nothing (Full), or the last moments (Normal). A killed process
  // loses nothing either way.
  enum class Durability { Full, Normal } durability = Durability::Full;
  std::size_t history = 100'000;            // changes kept for watches and old lists
  std::size_t history_bytes = 256U << 20U;  // and what they may hold together
  int log_pages = 4000;                     // of SQLite's log, then it is folded into the file
  std::function<void()> on_commit;          // called on the writer's thread after a batch
};

class Store {
 public:
  // Refuses, and leaves alone, a file that is newer, damaged, or in use by another process.
  static Result<std::unique_ptr<Store>> open(StoreOptions options);
  virtual ~Store() = default;

  virtual Revision revision() const = 0;  // of the last change, durable or not
  virtual Revision durable() const = 0;   // from any thread
  // Older revisions are gone from the history.
  virtual Revision compacted() const = 0;
  // Why writing stopped for good (a full disk), if it did; from any thread.
  virtual std::optional<std::string> failure() const = 0;
  // Whether the write queue is full, so that put() and remove() would block; from any thread.
  virtual bool congested() const = 0;

  virtual StoredObjectPtr find(const ObjectKey& key) const = 0;  // null: not there
  // The next revision: what put() and remove() must be given.
  Revision next_revision() const { return revision() + 1; }
  // `object->revision` is next_revision(). Visible at once here; on disk soon.
  virtual void put(ObjectKey key, StoredObjectPtr object) = 0;
  virtual void remove(const ObjectKey& key, StoredObjectPtr last) = 0;
  // After a failure: takes back what did not become durable, so that nobody reads it.
  virtual void drop_unsaved() = 0;

  // Objects of a kind in order of (ns, name), as they were at `at` (≥ compacted()), beginning after
  // `after` (empty strings: at the start); stops when `visit` says false.
  struct Position {
    std::string ns;
    std::string name;
  };
  using Visit = std::function<bool(const ObjectKey&, const StoredObjectPtr&)>;
  virtual void scan(Kind kind, std::string_view ns, Revision at, const Position& after,
                    const Visit& visit) const = 0;
  virtual std::size_t count(Kind kind) const = 0;

  // Changes in (after, durable()], oldest first, at most `limit`; nullopt when `after` is older
  // than compacted(). Views stay valid until the next put, remove or compact.
  virtual std::optional<std::vector<const Change*>> changes_after(Revision after,
                                                                  std::size_t limit) const = 0;
  // Forgets changes up to `newest` that are durable; never the very last.
  virtual void compact(Revision newest) = 0;
  // Copies the database while it is in use.
  virtual Status backup(const std::string& path) = 0;
};

}  // namespace proxima::apiserver
