// SPDX-License-Identifier: Apache-2.0
// SQLite with our own errors and ownership. A connection is used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace proxima::apiserver {

// A prepared statement. Text that is bound must live until the next run() or reset.
class Query {
 public:
  explicit Query(sqlite3_stmt* statement) : statement_(statement) {}

  Query& bind(int at, std::int64_t value);
  Query& bind(int at, std::string_view text);
  // For statements that return nothing; ready to be bound again afterwards.
  Status run();
  // For statements that return one number or nothing; ready to be bound again afterwards.
  Result<std::optional<std::int64_t>> run_returning();
  // Whether there is another row.
  Result<bool> next();
  std::int64_t number(int column) const;
  std::string_view text(int column) const;  // valid until the next row

 private:
  Error error() const;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode { ReadWrite, ReadOnly };
  // Nothing is read yet: whether the file is a database shows with the first statement.
  static Result<Database> open(const std::string& path, Mode mode);

  Status run(const char* sql);
  Result<Query> prepare(std::string_view sql);
  // The first column of the first row; 0 or "" when there is none.
  Result<std::int64_t> number(const char* sql);
  Result<std::string> text(const char* sql);
  // Whether closing may tidy up the files. Off while the file is not known to be sound and ours.
  void tidy_on_close(bool allowed);
  // Writes the write-ahead log again as it is, and syncs it; in a transaction that writes.
  Status rewrite_log();
  // The log is folded into the file whenever a commit leaves it with so many pages. A failure is
  // tried again after the next commit (Ignored), or is that of the commit, which is done
  // nevertheless (Reported).
  enum class FoldFailure { Ignored, Reported };
  void fold_log_at(int pages, FoldFailure failure);
  // Everything, as of one moment, into an empty or new database.
  Status copy_to(Database& target);

 private:
  explicit Database(sqlite3* handle) : fold_pages_(std::make_unique<int>(0)), handle_(handle) {}
  Error error() const;

  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<int> fold_pages_;  // of what SQLite calls; outlives the handle
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace proxima::apiserver
