// SPDX-License-Identifier: Apache-2.0
#include "apiserver/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace proxima::apiserver {
namespace {

// How long a statement waits for a lock that another connection holds: a backup's first moment.
constexpr int kBusyMilliseconds = 10'000;
// SQLite's files take as much as its largest page at once, not much more.
constexpr sqlite3_int64 kRewrittenBytes = 64 << 10;

ErrorCode code_of(int sqlite_code) {
  switch (sqlite_code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
      return ErrorCode::InvalidInput;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::Conflict;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return ErrorCode::Denied;
    default:
      return ErrorCode::Retry;
  }
}

// Called by SQLite after a commit. One that another connection is busy with is done already.
int fold_log(void* pages_max, sqlite3* handle, const char* name, int pages) {
  if (pages < *static_cast<int*>(pages_max)) return SQLITE_OK;
  const int code =
      sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return code == SQLITE_BUSY ? SQLITE_OK : code;
}

// SQLite's words for a failed system call are vague ("disk I/O error"), the system's are not.
Error error_of(sqlite3* handle) {
  const int code = sqlite3_errcode(handle) & 0xff;
  std::string message = sqlite3_errmsg(handle);
  const int reason = sqlite3_system_errno(handle);
  const bool failed_call = code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL;
  if (failed_call && reason != 0) message += std::string(": ") + std::strerror(reason);
  return {code_of(code), std::move(message)};
}

}  // namespace

void Query::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Error Query::error() const { return error_of(sqlite3_db_handle(statement_.get())); }

Query& Query::bind(int at, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), at, value);
  return *this;
}

Query& Query::bind(int at, std::string_view text) {
  // A null pointer would bind NULL.
  sqlite3_bind_text64(statement_.get(), at, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Status Query::run() {
  auto row = next();
  if (!row) {
    sqlite3_reset(statement_.get());
    return std::move(row).error();
  }
  sqlite3_reset(statement_.get());
  return Unit{};
}

Result<std::optional<std::int64_t>> Query::run_returning() {
  auto row = next();
  std::optional<std::int64_t> out;
  if (row && *row) out = number(0);
  sqlite3_reset(statement_.get());
  if (!row) return std::move(row).error();
  return out;
}

Result<bool> Query::next() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return error();
  }
}

std::int64_t Query::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Query::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {reinterpret_cast<const char*>(bytes), size};
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Error Database::error() const { return error_of(handle_.get()); }

Result<Database> Database::open(const std::string& path, Mode mode) {
  const int flags =
      mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  // The store sees to it that one thread at a time uses a connection.
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(handle);
  if (code != SQLITE_OK)
    return handle == nullptr ? Error{ErrorCode::Retry, "out of memory"} : error_of(handle);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  return database;
}

Status Database::run(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error();
  return Unit{};
}

Result<Query> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return error();
  return Query(statement);
}

Result<std::int64_t> Database::number(const char* sql) {
  auto query = prepare(sql);
  if (!query) return std::move(query).error();
  auto row = query->next();
  if (!row) return std::move(row).error();
  return *row ? query->number(0) : 0;
}

Result<std::string> Database::text(const char* sql) {
  auto query = prepare(sql);
  if (!query) return std::move(query).error();
  auto row = query->next();
  if (!row) return std::move(row).error();
  return *row ? std::string(query->text(0)) : std::string();
}

void Database::tidy_on_close(bool allowed) {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, allowed ? 0 : 1, nullptr);
}

Status Database::rewrite_log() {
  sqlite3_file* log = nullptr;
  sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log == nullptr || log->pMethods == nullptr) return Unit{};
  sqlite3_int64 size = 0;
  int code = log->pMethods->xFileSize(log, &size);
  std::vector<char> part(static_cast<std::size_t>(std::min(size, kRewrittenBytes)));
  for (sqlite3_int64 at = 0; at < size && code == SQLITE_OK; at += kRewrittenBytes) {
    const auto count = static_cast<int>(std::min(size - at, kRewrittenBytes));
    code = log->pMethods->xRead(log, part.data(), count, at);
    if (code == SQLITE_OK) code = log->pMethods->xWrite(log, part.data(), count, at);
  }
  if (size > 0 && code == SQLITE_OK) code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
  if (code == SQLITE_OK) return Unit{};
  return Error{code_of(code), std::string("write the log again: ") + sqlite3_errstr(code)};
}

void Database::fold_log_at(int pages, FoldFailure failure) {
  *fold_pages_ = pages;
  if (failure == FoldFailure::Ignored) {
    sqlite3_wal_autocheckpoint(handle_.get(), pages);
  } else {
    sqlite3_wal_hook(handle_.get(), fold_log, fold_pages_.get());
  }
}

Status Database::copy_to(Database& target) {
  sqlite3_backup* backup = sqlite3_backup_init(target.handle_.get(), "main", handle_.get(), "main");
  if (backup == nullptr) return target.error();
  // All pages in one step: a single read transaction, which writers do not wait for.
  const int code = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) return Error{code_of(code), sqlite3_errstr(code)};
  return Unit{};
}

}  // namespace proxima::apiserver
