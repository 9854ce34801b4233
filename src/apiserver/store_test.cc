// SPDX-License-Identifier: Apache-2.0
#include "apiserver/store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "apiserver/revision_log.h"
#include "base/split_mix.h"
#include "support/file_text.h"
#include "support/patience.h"

namespace proxima::apiserver {
namespace {

namespace fs = std::filesystem;

// A directory of its own for each test, gone afterwards.
class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    std::string pattern = (fs::temp_directory_path() / "proxima-store-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~StoreTest() override { fs::remove_all(directory_); }

  std::string path() const { return directory_ + "/proxima.db"; }
  StoreOptions options() const { return {.path = path()}; }

  std::string directory_;
};

// Everything that a directory holds, by name; locks and an empty log are no content.
std::map<std::string, std::string> contents(const std::string& directory) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".lock") || name.ends_with("-shm")) continue;
    if (entry.file_size() > 0) out[name] = test::file_text(entry.path());
  }
  return out;
}

void run_sql(const std::string& path, const char* sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

ObjectKey pod(const std::string& name, const std::string& ns = "default") {
  return {Kind::Pod, ns, name};
}

Revision put(Store& store, const ObjectKey& key, const std::string& json) {
  const Revision revision = store.next_revision();
  store.put(key, std::make_shared<StoredObject>(StoredObject{revision, json}));
  return revision;
}

Revision remove(Store& store, const ObjectKey& key) {
  const Revision revision = store.next_revision();
  store.remove(key, std::make_shared<StoredObject>(StoredObject{revision, "gone"}));
  return revision;
}

// "default/a=1 shop/b=2"
std::string list(const Store& store, Revision at, const std::string& ns = {},
                 const Store::Position& after = {}) {
  std::string out;
  store.scan(Kind::Pod, ns, at, after, [&](const ObjectKey& key, const StoredObjectPtr& object) {
    out += (out.empty() ? "" : " ") + key.ns + "/" + key.name + "=" + object->json;
    return true;
  });
  return out;
}

std::string list(const Store& store) { return list(store, store.revision()); }

std::unique_ptr<Store> open_or_fail(StoreOptions options) {
  auto store = Store::open(std::move(options));
  EXPECT_TRUE(store) << store.error().message;
  return store ? std::move(store).value() : nullptr;
}

// Waits for the writer without polling.
struct Commits {
  std::mutex mutex;
  std::condition_variable changed;

  std::function<void()> notify() {
    return [this] {
      const std::lock_guard lock(mutex);
      changed.notify_all();
    };
  }
  bool wait(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, testing::kPatience, condition);
  }
};

TEST_F(StoreTest, KeepsWhatWasWrittenAcrossARestart) {
  {
    auto store = open_or_fail(options());
    put(*store, pod("a"), "1");
    put(*store, pod("b"), "2");
    put(*store, pod("a"), "3");
    remove(*store, pod("b"));
    put(*store, {Kind::EndpointSlice, "default", "a"}, "slice");
  }
  auto store = open_or_fail(options());
  EXPECT_EQ(store->revision(), 5);
  EXPECT_EQ(store->durable(), 5);
  EXPECT_EQ(list(*store), "default/a=3");
  EXPECT_EQ(store->find({Kind::EndpointSlice, "default", "a"})->json, "slice");
  EXPECT_EQ(list(*store, 2), "default/a=1 default/b=2");
  const auto changes = store->changes_after(0, 100);
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 5);
  EXPECT_EQ((*changes)[2]->before->json, "1");
  EXPECT_EQ((*changes)[3]->type, ChangeType::Deleted);
}

TEST_F(StoreTest, ListsOneNamespaceAndGoesOnAfterAName) {
  auto store = open_or_fail({.path = ":memory:"});
  for (const char* ns : {"b", "a", "c"})
    for (const char* name : {"2", "1", "3"}) put(*store, pod(name, ns), "x");
  EXPECT_EQ(list(*store, 9, "b"), "b/1=x b/2=x b/3=x");
  EXPECT_EQ(list(*store, 9, "b", {"b", "1"}), "b/2=x b/3=x");
  EXPECT_EQ(list(*store, 9, {}, {"b", "2"}), "b/3=x c/1=x c/2=x c/3=x");
  EXPECT_EQ(list(*store, 4), "a/2=x b/1=x b/2=x b/3=x");
  EXPECT_EQ(store->count(Kind::Pod), 9);
}

TEST_F(StoreTest, ForgetsHistoryBeyondItsWindowAndItsRows) {
  StoreOptions small = options();
  small.history = 3;
  {
    auto store = open_or_fail(small);
    for (int i = 0; i < 200; ++i) put(*store, pod("a"), std::to_string(i));
    put(*store, pod("b"), "b");
    remove(*store, pod("b"));
  }
  auto store = open_or_fail(small);
  EXPECT_EQ(store->revision(), 202);
  EXPECT_GE(store->compacted(), 199);
  EXPECT_FALSE(store->changes_after(store->compacted() - 1, 1));
  EXPECT_EQ(store->changes_after(store->compacted(), 100)->size(), 202 - store->compacted());
  for (int i = 0; i < 10; ++i) put(*store, pod("c"), "c");
  store.reset();
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &handle), SQLITE_OK);
  int rows = 0;
  sqlite3_exec(
      handle, "SELECT count(*) FROM revisions",
      [](void* out, int, char** values, char**) {
        *static_cast<int*>(out) = std::atoi(values[0]);
        return 0;
      },
      &rows, nullptr);
  sqlite3_close(handle);
  EXPECT_LT(rows, 20);
}

TEST_F(StoreTest, BoundsWhatHistoryHoldsByItsBytesToo) {
  auto store = open_or_fail({.path = ":memory:", .history_bytes = 1000});
  for (int i = 0; i < 1000; ++i) put(*store, pod("a"), std::string(100, 'x'));
  Commits unused;
  // What is not durable yet is kept whatever the limits say, so ask after another put.
  while (store->durable() < 1000) std::this_thread::yield();
  put(*store, pod("a"), "x");
  EXPECT_GE(store->compacted(), 985);
}

TEST_F(StoreTest, TellsOnlyWhatIsDurable) {
  Commits commits;
  StoreOptions with_notice = options();
  with_notice.on_commit = commits.notify();
  auto store = open_or_fail(with_notice);
  const Revision last = put(*store, pod("a"), "1");
  ASSERT_TRUE(commits.wait([&] { return store->durable() == last; }));
  EXPECT_EQ(store->changes_after(0, 10)->size(), 1);
  EXPECT_TRUE(store->changes_after(last, 10)->empty());
}

TEST_F(StoreTest, RefusesASecondUser) {
  auto first = open_or_fail(options());
  const auto second = Store::open(options());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::Conflict);
  EXPECT_NE(second.error().message.find("another process uses the file"), std::string::npos);
}

// What is refused stays as it is, byte for byte.
void expect_refused(const StoreOptions& options, const std::string& directory, ErrorCode code,
                    const std::string& words) {
  const auto before = contents(directory);
  const auto store = Store::open(options);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, code) << store.error().message;
  EXPECT_NE(store.error().message.find(words), std::string::npos) << store.error().message;
  EXPECT_TRUE(contents(directory) == before);
}

TEST_F(StoreTest, RefusesANewerFile) {
  open_or_fail(options()).reset();
  run_sql(path(), "PRAGMA user_version = 3");
  expect_refused(options(), directory_, ErrorCode::Unsupported, "newer version");
}

TEST_F(StoreTest, RefusesAnotherProgramsDatabase) {
  run_sql(path(), "CREATE TABLE notes (text TEXT)");
  expect_refused(options(), directory_, ErrorCode::InvalidInput, "not a store of Proxima");
}

TEST_F(StoreTest, RefusesWhatIsNoDatabase) {
  std::ofstream(path()) << std::string(8192, 'x');
  expect_refused(options(), directory_, ErrorCode::InvalidInput, "not a database");
}

TEST_F(StoreTest, RefusesADamagedPage) {
  {
    auto store = open_or_fail(options());
    for (int i = 0; i < 200; ++i) put(*store, pod("p" + std::to_string(i)), std::string(1000, 'x'));
  }
  const auto size = fs::file_size(path());
  ASSERT_GT(size, 100'000);
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(size / 2 / 4096 * 4096));
  file << std::string(4096, '\xff');
  file.close();
  expect_refused(options(), directory_, ErrorCode::InvalidInput, "damaged");
}

TEST_F(StoreTest, RefusesAHoleInTheHistory) {
  {
    auto store = open_or_fail(options());
    for (int i = 0; i < 5; ++i) put(*store, pod("a"), "x");
  }
  run_sql(path(), "DELETE FROM revisions WHERE revision = 3");
  expect_refused(options(), directory_, ErrorCode::InvalidInput, "hole at revision 3");
}

TEST_F(StoreTest, RefusesADamagedLogLeftByACrash) {
  // A copy taken while the store is open has its latest changes in the log beside the file.
  Commits commits;
  StoreOptions with_notice = options();
  with_notice.on_commit = commits.notify();
  auto store = open_or_fail(with_notice);
  for (int i = 0; i < 50; ++i) put(*store, pod("a"), std::string(2000, 'x'));
  ASSERT_TRUE(commits.wait([&] { return store->durable() == 50; }));
  const std::string copy = directory_ + "/crashed";
  fs::create_directory(copy);
  fs::copy_file(path(), copy + "/proxima.db");
  fs::copy_file(path() + "-wal", copy + "/proxima.db-wal");
  // What the file itself says is of a later time: the log still stands beside it, untouched.
  run_sql(path(), "PRAGMA user_version = 9");
  fs::copy_file(path() + "-wal", copy + "/proxima.db-wal", fs::copy_options::overwrite_existing);
  expect_refused({.path = copy + "/proxima.db"}, copy, ErrorCode::Unsupported, "newer version");
}

TEST_F(StoreTest, BeginsAnewAfterACrashInTheMiddleOfTheFirstStart) {
  run_sql(path(), "PRAGMA journal_mode = WAL");
  auto store = open_or_fail(options());
  EXPECT_EQ(store->revision(), 0);
}

TEST_F(StoreTest, StopsAtAFullDiskAndKeepsWhatIsDurable) {
  Commits commits;
  StoreOptions with_notice = options();
  with_notice.on_commit = commits.notify();
  auto store = open_or_fail(with_notice);
  put(*store, pod("a"), "1");
  ASSERT_TRUE(commits.wait([&] { return store->durable() == 1; }));

  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit tight = before;
  tight.rlim_cur = 256U << 10U;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  for (int i = 0; i < 100; ++i) put(*store, pod("a"), std::string(10'000, 'x'));
  const bool failed = commits.wait([&] { return store->failure().has_value(); });
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_TRUE(failed);

  const Revision durable = store->durable();
  EXPECT_LT(durable, 101);
  put(*store, pod("late"), "dropped");
  store->drop_unsaved();
  EXPECT_EQ(store->revision(), durable);
  EXPECT_EQ(store->find(pod("late")), nullptr);
  EXPECT_EQ(store->find(pod("a"))->revision, durable);
  store.reset();

  store = open_or_fail(options());
  EXPECT_EQ(store->revision(), durable);
  EXPECT_EQ(store->find(pod("a"))->revision, durable);
}

TEST_F(StoreTest, BacksUpWhileInUse) {
  auto store = open_or_fail(options());
  put(*store, pod("a"), "1");
  while (store->durable() < 1) std::this_thread::yield();
  const std::string copy = directory_ + "/copy.db";
  ASSERT_TRUE(store->backup(copy));
  put(*store, pod("b"), "2");
  const std::string other = directory_ + "/other.db";
  const auto backed_up = backup_file(path(), other);
  ASSERT_TRUE(backed_up) << backed_up.error().message;

  EXPECT_FALSE(store->backup(copy)) << "an old backup is not overwritten";
  struct stat status {};
  ASSERT_EQ(stat(copy.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(list(*open_or_fail({.path = copy})), "default/a=1");
  EXPECT_EQ(open_or_fail({.path = other})->find(pod("a"))->json, "1");
}

TEST_F(StoreTest, BacksUpWhatIsOnlyInMemory) {
  auto store = open_or_fail({.path = ":memory:"});
  put(*store, pod("a"), "1");
  while (store->durable() < 1) std::this_thread::yield();
  ASSERT_TRUE(store->backup(directory_ + "/copy.db"));
  EXPECT_EQ(list(*open_or_fail({.path = directory_ + "/copy.db"})), "default/a=1");
}

// Every state that ever was, told by the store and by a plain list of maps.
TEST_F(StoreTest, AnyOldStateIsToldAsItWas) {
  const char* given = std::getenv("PROXIMA_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10)
                                              : static_cast<std::uint64_t>(getpid()) * 7919U;
  SCOPED_TRACE("PROXIMA_SEED=" + std::to_string(seed));
  SplitMix random(seed);
  using State = std::map<std::pair<std::string, std::string>, std::string>;
  std::vector<State> states(1);
  StoreOptions small = options();
  small.history = 60;
  auto store = open_or_fail(small);
  for (int step = 0; step < 1500; ++step) {
    State state = states.back();
    const std::string ns(1, static_cast<char>('a' + random.below(3)));
    const std::string name(1, static_cast<char>('a' + random.below(6)));
    const bool there = state.contains({ns, name});
    if (random.below(20) == 0) {
      store.reset();
      store = open_or_fail(small);
    }
    if (there && random.below(3) == 0) {
      remove(*store, pod(name, ns));
      state.erase({ns, name});
    } else {
      const std::string value = std::to_string(step);
      put(*store, pod(name, ns), value);
      state[{ns, name}] = value;
    }
    states.push_back(std::move(state));
    ASSERT_EQ(store->revision(), states.size() - 1);
    const Revision oldest = store->compacted();
    const Revision at = oldest + random.below(store->revision() - oldest + 1);
    const Store::Position after{std::string(1, static_cast<char>('`' + random.below(4))),
                                std::string(1, static_cast<char>('a' + random.below(6)))};
    const std::string only = random.below(2) == 0 ? "" : ns;
    std::string expected;
    for (const auto& [key, value] : states[at]) {
      if (!only.empty() && key.first != only) continue;
      if (key <= std::pair(after.ns, after.name)) continue;
      expected += (expected.empty() ? "" : " ") + key.first + "/" + key.second + "=" + value;
    }
    ASSERT_EQ(list(*store, at, only, after), expected) << "at " << at;
  }
}

}  // namespace
}  // namespace proxima::apiserver
