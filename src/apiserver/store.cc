// SPDX-License-Identifier: Apache-2.0
#include "apiserver/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/object_history.h"
#include "apiserver/revision_log.h"
#include "apiserver/revision_writer.h"
#include "base/check.h"

namespace proxima::apiserver {
namespace {

class SqliteStore final : public Store {
 public:
  // `left_over`: rows of the file that are older than the history and not the latest of their key.
  SqliteStore(ObjectHistory history, std::vector<Revision> left_over, RevisionLog log,
              std::function<void()> on_commit)
      : history_(std::move(history)),
        writer_(std::move(log), history_.revision(), std::move(on_commit)),
        expired_(std::move(left_over)) {
    trim();  // a smaller window than last time, perhaps
    writer_.push_expired(std::exchange(expired_, {}), history_.compacted());
  }

  Revision revision() const override { return history_.revision(); }
  Revision durable() const override { return writer_.durable(); }
  Revision compacted() const override { return history_.compacted(); }
  std::optional<std::string> failure() const override { return writer_.failure(); }
  bool congested() const override { return writer_.congested(); }
  StoredObjectPtr find(const ObjectKey& key) const override { return history_.find(key); }
  std::size_t count(Kind kind) const override { return history_.count(kind); }

  void put(ObjectKey key, StoredObjectPtr object) override {
    PROXIMA_CHECK(object->revision == next_revision());
    record(history_.put(std::move(key), std::move(object)));
  }

  void remove(const ObjectKey& key, StoredObjectPtr last) override {
    PROXIMA_CHECK(last->revision == next_revision());
    record(history_.remove(key, std::move(last)));
  }

  void drop_unsaved() override { history_.roll_back(writer_.durable()); }

  void scan(Kind kind, std::string_view ns, Revision at, const Position& after,
            const Visit& visit) const override {
    history_.scan(kind, ns, at, after, visit);
  }

  std::optional<std::vector<const Change*>> changes_after(Revision after,
                                                          std::size_t limit) const override {
    return history_.changes(after, writer_.durable(), limit);
  }

  void compact(Revision newest) override {
    std::vector<Revision> expired;
    history_.compact(std::min(newest, writer_.durable()), expired);
    writer_.push_expired(std::move(expired), history_.compacted());
  }

  Status backup(const std::string& path) override { return writer_.backup(path); }

 private:
  // Changes that are not durable stay: they may have to be taken back.
  void trim() { history_.trim(writer_.durable(), expired_); }

  void record(const Change& change) {
    LogRow row{change.revision, change.type, change.key, change.object};
    trim();
    writer_.push(std::move(row), expired_, history_.compacted());
    expired_.clear();
  }

  ObjectHistory history_;
  RevisionWriter writer_;
  std::vector<Revision> expired_;  // of one record()
};

Error damaged_at(Revision revision) {
  return {ErrorCode::InvalidInput,
          fmt::format("the file is damaged: the history has a hole at revision {}", revision)};
}

// What the file tells, put together again.
struct Loading {
  ObjectHistory history;
  std::vector<Revision> left_over;

  Status take(LogRow row) {
    if (row.revision <= history.compacted()) return take_old(std::move(row));
    if (row.revision != history.revision() + 1) return damaged_at(history.revision() + 1);
    if ((row.type == ChangeType::Added) != (history.find(row.key) == nullptr))
      return damaged_at(row.revision);
    if (row.type == ChangeType::Deleted) {
      history.remove(std::move(row.key), std::move(row.object));
    } else {
      history.put(std::move(row.key), std::move(row.object));
    }
    return Unit{};
  }

 private:
  Status take_old(LogRow row) {
    if (const StoredObjectPtr older = history.find(row.key)) left_over.push_back(older->revision);
    const bool gone = row.type == ChangeType::Deleted;
    if (gone) left_over.push_back(row.revision);
    history.restore(row.key, gone ? nullptr : std::move(row.object));
    return Unit{};
  }
};

}  // namespace

Result<std::unique_ptr<Store>> Store::open(StoreOptions options) {
  PROXIMA_TRY(RevisionLog log, RevisionLog::open(options), "open store");
  PROXIMA_TRY(const Revision compacted, log.compacted(), options.path);
  Loading loading{ObjectHistory({options.history, options.history_bytes}, compacted), {}};
  auto loaded = log.read([&loading](LogRow row) { return loading.take(std::move(row)); });
  if (!loaded) return std::move(loaded).error().in(options.path);
  return std::unique_ptr<Store>(
      std::make_unique<SqliteStore>(std::move(loading.history), std::move(loading.left_over),
                                    std::move(log), std::move(options.on_commit)));
}

}  // namespace proxima::apiserver
