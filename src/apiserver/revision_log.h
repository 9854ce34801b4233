// SPDX-License-Identifier: Apache-2.0
// The file behind the store: one row a revision. A row stays as long as somebody may ask for it,
// which is until a later row of the same key is older than the history.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/database.h"
#include "apiserver/store.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace proxima::apiserver {

struct LogRow {
  Revision revision = 0;
  ChangeType type = ChangeType::Added;
  ObjectKey key;
  StoredObjectPtr object;
};

// What becomes durable together.
struct LogBatch {
  std::vector<LogRow> rows;       // ascending
  std::vector<Revision> expired;  // rows that nobody can ask for any more
  Revision compacted = 0;         // history begins after this
};

// Holds the right to write a file as long as it lives.
class FileLock {
 public:
  FileLock() = default;  // holds nothing
  // The lock is a file of its own beside `path`: closing any descriptor of a database file would
  // drop SQLite's locks.
  static Result<FileLock> take(const std::string& path);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

// Used by one thread at a time.
class RevisionLog {
 public:
  // A new file is made, and one of an earlier version upgraded; one that is newer, damaged or
  // another program's is refused and left as it is. What the file tells from then on is durable.
  static Result<RevisionLog> open(const StoreOptions& options);

  Result<Revision> compacted();
  // Every row, oldest first. Stops at the first complaint of `visit`, and at a row that does not
  // match its checksum.
  Status read(const std::function<Status(LogRow)>& visit);
  // All or nothing.
  Status append(const LogBatch& batch);
  Status backup(const std::string& path);

 private:
  struct Statements {
    Query insert, remove, compact, begin, commit, rollback;
  };
  RevisionLog(FileLock lock, Database database, Statements statements);
  // What the file says about its rows altogether.
  struct Summary {
    std::int64_t compacted = 0;
    std::int64_t digest = 0;
  };
  static Result<Statements> prepare(Database& database);
  static Result<Summary> read_summary(Database& database);
  // The summary afterwards.
  Result<Summary> write(const LogBatch& batch);

  FileLock lock_;  // released last
  Database database_;
  Statements statements_;
  Summary summary_;
};

// A copy of the file at `path`, whether a server uses it or not. `target` must not exist.
Status backup_file(const std::string& path, const std::string& target);

}  // namespace proxima::apiserver
