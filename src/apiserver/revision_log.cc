// SPDX-License-Identifier: Apache-2.0
#include "apiserver/revision_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace proxima::apiserver {
namespace {

constexpr std::string_view kMemory = ":memory:";
constexpr std::int64_t kApplicationId = 0x5052584D;  // "PRXM"
constexpr std::int64_t kFormat = 1;                  // user_version

constexpr const char* kSchema =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE revisions (revision INTEGER PRIMARY KEY, kind TEXT NOT NULL, ns TEXT NOT NULL,"
    " name TEXT NOT NULL, type INTEGER NOT NULL, json TEXT NOT NULL) STRICT;"
    "CREATE TABLE history (compacted INTEGER NOT NULL) STRICT;"
    "INSERT INTO history VALUES (0);"
    "PRAGMA application_id = 1347573837;"
    "PRAGMA user_version = 1;"
    "COMMIT;";
static_assert(kApplicationId == 1347573837 && kFormat == 1);

// "endpointslices.discovery.k8s.io": stays the same when the enum changes.
std::string kind_text(Kind kind) {
  const ResourceType& type = resource_of(kind);
  std::string out(type.plural);
  return type.group.empty() ? out : out.append(".").append(type.group);
}

std::optional<Kind> parse_kind(std::string_view text) {
  for (const ResourceType& type : served_resources())
    if (kind_text(type.kind) == text) return type.kind;
  return std::nullopt;
}

Error damaged(std::string_view what) {
  return {ErrorCode::InvalidInput, fmt::format("the file is damaged: {}", what)};
}

enum class Content { New, Ours };

// Asks only; changes nothing.
Result<Content> inspect(Database& database) {
  PROXIMA_TRY(const std::int64_t tables, database.number("SELECT count(*) FROM sqlite_master"),
              "not a database that can be read");
  PROXIMA_TRY(const std::int64_t application, database.number("PRAGMA application_id"), "read");
  if (tables == 0 && application == 0) return Content::New;
  if (application != kApplicationId)
    return Error{ErrorCode::InvalidInput, "the file is not a store of Proxima"};
  PROXIMA_TRY(const std::int64_t format, database.number("PRAGMA user_version"), "read");
  if (format > kFormat) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("the file was written by a newer version of Proxima (format {}, this "
                             "one knows {})",
                             format, kFormat)};
  }
  if (format < kFormat) return damaged(fmt::format("it says that its format is {}", format));
  PROXIMA_TRY(const std::string check, database.text("PRAGMA quick_check(1)"),
              "the file is damaged");
  if (check != "ok") return damaged(check);
  return Content::Ours;
}

Status set_up(Database& database, Content content, StoreOptions::Durability durability) {
  // Larger pages of the log before it is folded into the file: fewer, longer writes.
  for (const char* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 4000",
                             "PRAGMA journal_size_limit = 67108864"}) {
    auto done = database.run(pragma);
    if (!done) return done;
  }
  auto done =
      database.run(durability == StoreOptions::Durability::Full ? "PRAGMA synchronous = FULL"
                                                                : "PRAGMA synchronous = NORMAL");
  if (!done || content == Content::Ours) return done;
  return database.run(kSchema);
}

// The entry of a new file in its directory is as much a part of a write as its bytes.
void sync_directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

Result<LogRow> row_of(const Query& query) {
  LogRow row;
  row.revision = static_cast<Revision>(query.number(0));
  const auto kind = parse_kind(query.text(1));
  const std::int64_t type = query.number(4);
  if (!kind || type < 0 || type > static_cast<int>(ChangeType::Deleted))
    return damaged(fmt::format("revision {} is of no kind or type that is known", row.revision));
  row.key = {*kind, std::string(query.text(2)), std::string(query.text(3))};
  row.type = static_cast<ChangeType>(type);
  row.object =
      std::make_shared<StoredObject>(StoredObject{row.revision, std::string(query.text(5))});
  return row;
}

}  // namespace

Result<FileLock> FileLock::take(const std::string& path) {
  const std::string name = path + ".lock";
  const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return Error{ErrorCode::Denied, name + ": " + std::strerror(errno)};
  FileLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
  return Error{ErrorCode::Conflict, "another process uses the file"};
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

RevisionLog::RevisionLog(FileLock lock, Database database, Statements statements)
    : lock_(std::move(lock)), database_(std::move(database)), statements_(std::move(statements)) {}

Result<RevisionLog::Statements> RevisionLog::prepare(Database& database) {
  PROXIMA_TRY(Query insert, database.prepare("INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?)"),
              "prepare");
  PROXIMA_TRY(Query remove, database.prepare("DELETE FROM revisions WHERE revision = ?"),
              "prepare");
  PROXIMA_TRY(Query compact, database.prepare("UPDATE history SET compacted = ?"), "prepare");
  PROXIMA_TRY(Query begin, database.prepare("BEGIN IMMEDIATE"), "prepare");
  PROXIMA_TRY(Query commit, database.prepare("COMMIT"), "prepare");
  PROXIMA_TRY(Query rollback, database.prepare("ROLLBACK"), "prepare");
  return Statements{std::move(insert), std::move(remove), std::move(compact),
                    std::move(begin),  std::move(commit), std::move(rollback)};
}

Result<RevisionLog> RevisionLog::open(const std::string& path,
                                      StoreOptions::Durability durability) {
  FileLock lock;
  if (path != kMemory) {
    PROXIMA_TRY(lock, FileLock::take(path), path);
  }
  PROXIMA_TRY(Database database, Database::open(path, Database::Mode::ReadWrite), path);
  database.tidy_on_close(false);
  PROXIMA_TRY(const Content content, inspect(database), path);
  PROXIMA_TRY([[maybe_unused]] const Unit ready, set_up(database, content, durability), path);
  PROXIMA_TRY(Statements statements, prepare(database), path);
  database.tidy_on_close(true);
  if (path != kMemory) sync_directory_of(path);
  return RevisionLog(std::move(lock), std::move(database), std::move(statements));
}

Result<Revision> RevisionLog::compacted() {
  PROXIMA_TRY(const std::int64_t value, database_.number("SELECT compacted FROM history"), "read");
  return static_cast<Revision>(value);
}

Status RevisionLog::read(const std::function<Status(LogRow)>& visit) {
  PROXIMA_TRY(Query query,
              database_.prepare("SELECT revision, kind, ns, name, type, json FROM revisions "
                                "ORDER BY revision"),
              "read");
  for (;;) {
    PROXIMA_TRY(const bool more, query.next(), "read");
    if (!more) return Unit{};
    PROXIMA_TRY(LogRow row, row_of(query), "read");
    auto taken = visit(std::move(row));
    if (!taken) return taken;
  }
}

Status RevisionLog::write(const LogBatch& batch) {
  for (const LogRow& row : batch.rows) {
    const std::string kind = kind_text(row.key.kind);
    auto done = statements_.insert.bind(1, static_cast<std::int64_t>(row.revision))
                    .bind(2, kind)
                    .bind(3, row.key.ns)
                    .bind(4, row.key.name)
                    .bind(5, static_cast<std::int64_t>(row.type))
                    .bind(6, row.object->json)
                    .run();
    if (!done) return done;
  }
  for (const Revision revision : batch.expired) {
    auto done = statements_.remove.bind(1, static_cast<std::int64_t>(revision)).run();
    if (!done) return done;
  }
  if (batch.expired.empty()) return Unit{};
  return statements_.compact.bind(1, static_cast<std::int64_t>(batch.compacted)).run();
}

Status RevisionLog::append(const LogBatch& batch) {
  auto done = statements_.begin.run();
  if (!done) return done;
  done = write(batch);
  if (done) done = statements_.commit.run();
  // After some errors SQLite has rolled back already, and says so; what counts is the first error.
  if (!done) static_cast<void>(statements_.rollback.run());
  return done;
}

namespace {

// The copy appears under its name only when it is whole.
Status copy_database(Database& source, const std::string& target) {
  if (::access(target.c_str(), F_OK) == 0)
    return Error{ErrorCode::Conflict, target + ": is there already"};
  const std::string part = target + ".part";
  const int made = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (made < 0) return Error{ErrorCode::Denied, part + ": " + std::strerror(errno)};
  ::close(made);
  auto copy = [&]() -> Status {
    PROXIMA_TRY(Database database, Database::open(part, Database::Mode::ReadWrite), part);
    auto done = source.copy_to(database);
    // Alone in one file, without a log beside it.
    if (done) done = database.run("PRAGMA journal_mode = DELETE");
    return done;
  };
  auto done = copy();
  if (done && ::link(part.c_str(), target.c_str()) != 0)
    done = Error{ErrorCode::Denied, target + ": " + std::strerror(errno)};
  ::unlink(part.c_str());
  if (done) sync_directory_of(target);
  return done;
}

}  // namespace

Status RevisionLog::backup(const std::string& path) { return copy_database(database_, path); }

Status backup_file(const std::string& path, const std::string& target) {
  PROXIMA_TRY(Database database, Database::open(path, Database::Mode::ReadOnly), path);
  PROXIMA_TRY(const Content content, inspect(database), path);
  if (content == Content::New) return Error{ErrorCode::InvalidInput, path + ": is empty"};
  return copy_database(database, target);
}

}  // namespace proxima::apiserver
