// SPDX-License-Identifier: Apache-2.0
#include "apiserver/revision_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "apiserver/object_meta.h"
#include "apiserver/private_files.h"
#include "apiserver/row_checksum.h"

namespace proxima::apiserver {
namespace {

constexpr std::string_view kMemory = ":memory:";
constexpr std::int64_t kApplicationId = 0x5052584D;  // "PRXM"
constexpr std::int64_t kFormat = 2;                  // user_version
constexpr std::int64_t kFormatWithoutChecksums = 1;

constexpr const char* kSchema =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE revisions (revision INTEGER PRIMARY KEY, kind TEXT NOT NULL, ns TEXT NOT NULL,"
    " name TEXT NOT NULL, type INTEGER NOT NULL, json TEXT NOT NULL, checksum INTEGER NOT NULL)"
    " STRICT;"
    // `digest`: the checksums of all rows, XORed, so that a row that is missing is noticed.
    "CREATE TABLE history (compacted INTEGER NOT NULL, digest INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL) STRICT;"
    "INSERT INTO history VALUES (0, 0, 0);"
    "PRAGMA application_id = 1347573837;"
    "PRAGMA user_version = 2;"
    "COMMIT;";
static_assert(kApplicationId == 1347573837 && kFormat == 2);

constexpr const char* kBeginUpgrade =
    "BEGIN IMMEDIATE;"
    "ALTER TABLE revisions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE history ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE history ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;";
constexpr const char* kEndUpgrade = "PRAGMA user_version = 2; COMMIT;";

constexpr const char* kReadRows =
    "SELECT revision, kind, ns, name, type, json, checksum FROM revisions ORDER BY revision";

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

enum class Content { New, Ours, WithoutChecksums };

// A file that cannot be read is not always a damaged one: the disk may be full or failing.
Error unreadable(Error error) {
  return std::move(error).in(error.code == ErrorCode::InvalidInput
                                 ? "not a database that can be read"
                                 : "the file cannot be read");
}

// Asks only; changes nothing.
Result<Content> inspect(Database& database) {
  const auto tables = database.number("SELECT count(*) FROM sqlite_master");
  if (!tables) return unreadable(tables.error());
  PROXIMA_TRY(const std::int64_t application, database.number("PRAGMA application_id"), "read");
  if (*tables == 0 && application == 0) return Content::New;
  if (application != kApplicationId)
    return Error{ErrorCode::InvalidInput, "the file is not a store of Proxima"};
  PROXIMA_TRY(const std::int64_t format, database.number("PRAGMA user_version"), "read");
  if (format > kFormat) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("the file was written by a newer version of Proxima (format {}, this "
                             "one knows {})",
                             format, kFormat)};
  }
  if (format < kFormatWithoutChecksums)
    return damaged(fmt::format("it says that its format is {}", format));
  PROXIMA_TRY(const std::string check, database.text("PRAGMA quick_check(1)"),
              "the file is damaged");
  if (check != "ok") return damaged(check);
  return format == kFormat ? Content::Ours : Content::WithoutChecksums;
}

std::int64_t checksum_of_history(std::int64_t compacted, std::int64_t digest) {
  // A new file has 0 in all three.
  return compacted == 0 && digest == 0 ? 0 : RowChecksum().add(compacted).add(digest).value();
}

// Of the columns of kReadRows up to the checksum.
std::int64_t checksum_of_row(const Query& row) {
  return RowChecksum()
      .add(row.number(0))
      .add(row.text(1))
      .add(row.text(2))
      .add(row.text(3))
      .add(row.number(4))
      .add(row.text(5))
      .value();
}

// "revision 17 (pods default/web-1)"
std::string place_of(const Query& row) {
  const std::string ns(row.text(2));
  return fmt::format("revision {} ({} {}{})", row.number(0), row.text(1),
                     ns.empty() ? ns : ns + "/", row.text(3));
}

struct ChecksummedRow {
  std::int64_t revision = 0;
  std::int64_t checksum = 0;
};

// Older versions did not notice damaged rows, so each is parsed before it gets a checksum.
Result<std::vector<ChecksummedRow>> checksums_of_rows(Database& database) {
  std::vector<ChecksummedRow> out;
  PROXIMA_TRY(Query rows, database.prepare(kReadRows), "read");
  for (;;) {
    PROXIMA_TRY(const bool more, rows.next(), "read");
    if (!more) return out;
    if (!is_json_object(rows.text(5))) return damaged(place_of(rows) + " is not a JSON object");
    out.push_back({rows.number(0), checksum_of_row(rows)});
  }
}

Status add_checksums(Database& database) {
  PROXIMA_TRY(const auto rows, checksums_of_rows(database), "checksums");
  PROXIMA_TRY(Query update,
              database.prepare("UPDATE revisions SET checksum = ? WHERE revision = ?"),
              "checksums");
  std::int64_t digest = 0;
  for (const ChecksummedRow& row : rows) {
    auto done = update.bind(1, row.checksum).bind(2, row.revision).run();
    if (!done) return done;
    digest ^= row.checksum;
  }
  PROXIMA_TRY(const std::int64_t compacted, database.number("SELECT compacted FROM history"),
              "checksums");
  PROXIMA_TRY(Query history, database.prepare("UPDATE history SET digest = ?, checksum = ?"),
              "checksums");
  return history.bind(1, digest).bind(2, checksum_of_history(compacted, digest)).run();
}

// A file of an earlier version, all or nothing.
Status upgrade(Database& database) {
  auto done = database.run(kBeginUpgrade);
  if (done) done = add_checksums(database);
  if (done) done = database.run(kEndUpgrade);
  if (done) return done;
  static_cast<void>(database.run("ROLLBACK"));
  return std::move(done).error().in("upgrade a file of an earlier version");
}

// A process that was killed may have left rows in the log that are in the kernel's cache alone, and
// after a sync that failed the kernel may take them for written: no later sync would bring them to
// the disk. Whoever hears of them from here on must not lose them, nor what is written behind them.
Status make_log_durable(Database& database) {
  // Nobody else writes to the log meanwhile.
  auto done = database.run("BEGIN IMMEDIATE");
  if (!done) return done;
  done = database.rewrite_log();
  static_cast<void>(database.run("ROLLBACK"));
  return done;
}

Status set_up(Database& database, Content content, const StoreOptions& options) {
  for (const char* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA journal_size_limit = 67108864"}) {
    auto done = database.run(pragma);
    if (!done) return done;
  }
  const bool full = options.durability == StoreOptions::Durability::Full;
  // With Full every row is on the disk before folding begins, and what fails of that is done again.
  // With Normal folding begins with the sync of the log: had that failed, and the next one only
  // seemed to succeed, a power loss in the middle of folding would leave neither log nor file
  // whole.
  database.fold_log_at(options.log_pages,
                       full ? Database::FoldFailure::Ignored : Database::FoldFailure::Reported);
  auto done = database.run(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  if (!done || content == Content::Ours) return done;
  return content == Content::New ? database.run(kSchema) : upgrade(database);
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
  if (checksum_of_row(query) != query.number(6))
    return damaged(place_of(query) + " does not match its checksum");
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
  PROXIMA_TRY(Descriptor file, open_own_file(name), "lock");
  if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0) return FileLock(std::move(file));
  return Error{ErrorCode::Conflict, "another process uses the file"};
}

RevisionLog::RevisionLog(FileLock lock, Database database, Statements statements)
    : lock_(std::move(lock)), database_(std::move(database)), statements_(std::move(statements)) {}

Result<RevisionLog::Statements> RevisionLog::prepare(Database& database) {
  PROXIMA_TRY(Query insert, database.prepare("INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?)"),
              "prepare");
  PROXIMA_TRY(Query remove,
              database.prepare("DELETE FROM revisions WHERE revision = ? RETURNING checksum"),
              "prepare");
  PROXIMA_TRY(Query compact,
              database.prepare("UPDATE history SET compacted = ?, digest = ?, checksum = ?"),
              "prepare");
  PROXIMA_TRY(Query begin, database.prepare("BEGIN IMMEDIATE"), "prepare");
  PROXIMA_TRY(Query commit, database.prepare("COMMIT"), "prepare");
  PROXIMA_TRY(Query rollback, database.prepare("ROLLBACK"), "prepare");
  return Statements{std::move(insert), std::move(remove), std::move(compact),
                    std::move(begin),  std::move(commit), std::move(rollback)};
}

Result<RevisionLog> RevisionLog::open(const StoreOptions& options) {
  const std::string& path = options.path;
  FileLock lock;
  if (path != kMemory) {
    PROXIMA_TRY(lock, FileLock::take(path), path);
  }
  PROXIMA_TRY(Database database, Database::open(path, Database::Mode::ReadWrite), path);
  database.tidy_on_close(false);
  PROXIMA_TRY(const Content content, inspect(database), path);
  PROXIMA_TRY([[maybe_unused]] const Unit kept, make_log_durable(database), path);
  PROXIMA_TRY([[maybe_unused]] const Unit ready, set_up(database, content, options), path);
  PROXIMA_TRY(Statements statements, prepare(database), path);
  PROXIMA_TRY(const Summary summary, read_summary(database), path);
  database.tidy_on_close(true);
  if (path != kMemory) sync_directory_of(path);
  RevisionLog log(std::move(lock), std::move(database), std::move(statements));
  log.summary_ = summary;
  return log;
}

Result<RevisionLog::Summary> RevisionLog::read_summary(Database& database) {
  PROXIMA_TRY(Query query, database.prepare("SELECT compacted, digest, checksum FROM history"),
              "read");
  PROXIMA_TRY(const bool found, query.next(), "read");
  if (!found) return damaged("the table history is empty");
  const Summary out{query.number(0), query.number(1)};
  if (query.number(2) != checksum_of_history(out.compacted, out.digest))
    return damaged("the table history does not match its checksum");
  return out;
}

Result<Revision> RevisionLog::compacted() { return static_cast<Revision>(summary_.compacted); }

Status RevisionLog::read(const std::function<Status(LogRow)>& visit) {
  PROXIMA_TRY(Query query, database_.prepare(kReadRows), "read");
  std::int64_t digest = 0;
  for (;;) {
    PROXIMA_TRY(const bool more, query.next(), "read");
    if (!more) break;
    PROXIMA_TRY(LogRow row, row_of(query), "read");
    digest ^= query.number(6);
    auto taken = visit(std::move(row));
    if (!taken) return taken;
  }
  if (digest != summary_.digest)
    return damaged("rows are missing, or were not written by this store");
  return Unit{};
}

Result<RevisionLog::Summary> RevisionLog::write(const LogBatch& batch) {
  Summary summary = summary_;
  for (const LogRow& row : batch.rows) {
    const std::string kind = kind_text(row.key.kind);
    const std::int64_t checksum = RowChecksum()
                                      .add(static_cast<std::int64_t>(row.revision))
                                      .add(kind)
                                      .add(row.key.ns)
                                      .add(row.key.name)
                                      .add(static_cast<std::int64_t>(row.type))
                                      .add(row.object->json)
                                      .value();
    summary.digest ^= checksum;
    auto done = statements_.insert.bind(1, static_cast<std::int64_t>(row.revision))
                    .bind(2, kind)
                    .bind(3, row.key.ns)
                    .bind(4, row.key.name)
                    .bind(5, static_cast<std::int64_t>(row.type))
                    .bind(6, row.object->json)
                    .bind(7, checksum)
                    .run();
    if (!done) return std::move(done).error();
  }
  for (const Revision revision : batch.expired) {
    PROXIMA_TRY(const auto removed,
                statements_.remove.bind(1, static_cast<std::int64_t>(revision)).run_returning(),
                "remove");
    summary.digest ^= removed.value_or(0);
  }
  if (!batch.expired.empty()) summary.compacted = static_cast<std::int64_t>(batch.compacted);
  auto done = statements_.compact.bind(1, summary.compacted)
                  .bind(2, summary.digest)
                  .bind(3, checksum_of_history(summary.compacted, summary.digest))
                  .run();
  if (!done) return std::move(done).error();
  return summary;
}

Status RevisionLog::append(const LogBatch& batch) {
  auto done = statements_.begin.run();
  if (!done) return done;
  auto written = write(batch);
  done = written ? statements_.commit.run() : Status(written.error());
  if (done) {
    summary_ = *written;
    return done;
  }
  // After some errors SQLite has rolled back already, and says so; what counts is the first error.
  static_cast<void>(statements_.rollback.run());
  // After a sync that failed the log may not be what was written, so it is not folded into the
  // file.
  database_.tidy_on_close(false);
  return done;
}

namespace {

// The copy appears under its name only when it is whole.
Status copy_database(Database& source, const std::string& target) {
  struct stat there {};
  if (::lstat(target.c_str(), &there) == 0)
    return Error{ErrorCode::Conflict, target + ": is there already"};
  const std::string part = target + ".part";
  PROXIMA_TRY([[maybe_unused]] const Descriptor made, create_private_file(part), "backup");
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
