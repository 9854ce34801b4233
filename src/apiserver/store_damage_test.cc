// SPDX-License-Identifier: Apache-2.0
// What the store makes of a file that was damaged, and of a disk that fails.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "apiserver/object_meta.h"
#include "apiserver/store.h"
#include "base/split_mix.h"
#include "support/failing_disk.h"
#include "support/file_text.h"
#include "support/patience.h"
#include "support/random_runs.h"
#include "support/temp_folder.h"

namespace proxima::apiserver {
namespace {

namespace fs = std::filesystem;

ObjectKey pod_named(const std::string& name) { return {Kind::Pod, "default", name}; }

std::string pod_json(const std::string& name, const std::string& value) {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + name +
         R"("},"spec":{"value":")" + value + "\"}}";
}

void put_pod(Store& store, const std::string& name, const std::string& value) {
  store.put(pod_named(name), std::make_shared<StoredObject>(
                                 StoredObject{store.next_revision(), pod_json(name, value)}));
}

void remove_pod(Store& store, const std::string& name, const std::string& value) {
  store.remove(pod_named(name), std::make_shared<StoredObject>(
                                    StoredObject{store.next_revision(), pod_json(name, value)}));
}

using Pods = std::map<std::string, std::string>;  // texts by name

Pods pods_at(const Store& store, Revision at) {
  Pods out;
  store.scan(Kind::Pod, {}, at, {}, [&](const ObjectKey& key, const StoredObjectPtr& object) {
    out[key.ns + "/" + key.name] = object->json;
    return true;
  });
  return out;
}

void run_sql_on(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

class StoreDamageTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/proxima.db"; }

  std::unique_ptr<Store> open() const {
    auto store = Store::open({.path = path(), .history = 60});
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  // Why not.
  std::string refusal() const {
    auto store = Store::open({.path = path(), .history = 60});
    return store ? "opened" : store.error().message;
  }
  void write_some() const {
    auto store = open();
    put_pod(*store, "old", "0");  // the one that is older than the history at the end
    for (int i = 0; i < 200; ++i) {
      const std::string name = "p" + std::to_string(i % 50);
      if (i % 7 == 6 && store->find(pod_named(name)))
        remove_pod(*store, name, "x");
      else
        put_pod(*store, name, std::to_string(i) + std::string(300, 'x'));
    }
    store.reset();
    open();  // forgets what is older than the history
  }

  testing::TempFolder folder_;
};

constexpr const char* kFirstFormat =
    "CREATE TABLE revisions (revision INTEGER PRIMARY KEY, kind TEXT NOT NULL, ns TEXT NOT NULL,"
    " name TEXT NOT NULL, type INTEGER NOT NULL, json TEXT NOT NULL) STRICT;"
    "CREATE TABLE history (compacted INTEGER NOT NULL) STRICT;"
    "INSERT INTO history VALUES (0);"
    "INSERT INTO revisions VALUES (1, 'pods', 'default', 'a', 0, '{\"kind\":\"Pod\"}');"
    "PRAGMA application_id = 1347573837;"
    "PRAGMA user_version = 1;";

TEST_F(StoreDamageTest, UpgradesAFileWithoutChecksums) {
  run_sql_on(path(), kFirstFormat);
  {
    auto store = open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(store->revision(), 1U);
    EXPECT_EQ(store->find(pod_named("a"))->json, "{\"kind\":\"Pod\"}");
    put_pod(*store, "b", "2");
  }
  EXPECT_EQ(pods_at(*open(), 2).size(), 2U);
  run_sql_on(path(), "UPDATE revisions SET json = '{}' WHERE revision = 1");
  EXPECT_NE(refusal().find("revision 1 (pods default/a) does not match its checksum"),
            std::string::npos)
      << refusal();
}

TEST_F(StoreDamageTest, RefusesToUpgradeARowThatIsNoObject) {
  run_sql_on(path(), std::string(kFirstFormat) +
                         "INSERT INTO revisions VALUES (2, 'pods', 'default', 'b', 0, '{\"a');");
  EXPECT_NE(refusal().find("revision 2 (pods default/b) is not a JSON object"), std::string::npos)
      << refusal();
  run_sql_on(path(), "DELETE FROM revisions WHERE revision = 2");
  EXPECT_EQ(refusal(), "opened") << "the file was left as it was";
}

TEST_F(StoreDamageTest, NamesWhatIsDamaged) {
  const struct {
    const char* name;
    const char* sql;
    const char* message;
  } cases[] = {
      {"a changed text", "UPDATE revisions SET json = replace(json, '199x', '299x')",
       "revision 201 (pods default/p49) does not match its checksum"},
      {"a changed name", "UPDATE revisions SET name = 'q' WHERE revision = 201",
       "revision 201 (pods default/q) does not match its checksum"},
      {"an old row that is missing",
       "DELETE FROM revisions WHERE revision = (SELECT min(revision) FROM revisions)",
       "rows are missing"},
      {"a changed mark", "UPDATE history SET compacted = compacted - 1",
       "the table history does not match its checksum"},
      {"no mark", "DELETE FROM history", "the table history is empty"},
  };
  write_some();
  fs::copy_file(path(), folder_.path() + "/sound");
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    fs::copy_file(folder_.path() + "/sound", path(), fs::copy_options::overwrite_existing);
    run_sql_on(path(), c.sql);
    EXPECT_NE(refusal().find(c.message), std::string::npos) << refusal();
  }
}

// Before, 19 of 60 such changes were not noticed, and some ended the process later.
TEST_F(StoreDamageTest, NoticesOrIgnoresAnyChangedByte) {
  SplitMix random(test::seed_of_this_run());
  write_some();
  const std::string sound = test::file_text(path());
  Revision revision = 0;
  std::map<Revision, Pods> states;
  {
    auto store = open();
    revision = store->revision();
    for (Revision at = store->compacted(); at <= revision; ++at) states[at] = pods_at(*store, at);
  }
  int refused = 0;
  const int damages = test::times("PROXIMA_DAMAGES", 150);
  for (int i = 0; i < damages; ++i) {
    std::string damaged = sound;
    const std::size_t at = random.below(sound.size());
    const std::size_t length = std::min(sound.size() - at, 1 + random.below(1U << random.below(6)));
    for (std::size_t byte = at; byte < at + length; ++byte)
      damaged[byte] = static_cast<char>(random.below(256));
    SCOPED_TRACE("damage " + std::to_string(i) + " at " + std::to_string(at) + ", " +
                 std::to_string(length) + " bytes");
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(path() + suffix);
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << damaged;
    auto store = Store::open({.path = path(), .history = 60});
    if (!store) {
      ++refused;
      EXPECT_NE(store.error().message.find(path()), std::string::npos) << store.error().message;
      continue;
    }
    ASSERT_EQ((*store)->revision(), revision);
    for (const auto& [then, pods] : states) ASSERT_EQ(pods_at(**store, then), pods);
  }
  std::printf("%d of %d damages were refused, the others changed nothing\n", refused, damages);
  EXPECT_GT(refused, damages / 10) << "much of the file is free pages";
}

TEST_F(StoreDamageTest, SaysThatTheDiskIsFullWhenItStarts) {
  {
    test::FailingDisk disk(1);
    disk.fill_up();
    EXPECT_NE(refusal().find("database or disk is full"), std::string::npos) << refusal();
  }
  EXPECT_EQ(refusal(), "opened") << "once there is room";
  test::FailingDisk disk(1);
  disk.fill_up();
  const std::string message = refusal();
  EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
  EXPECT_EQ(message.find("not a database"), std::string::npos) << message;
}

// What the next start reads may be in the kernel's cache alone.
TEST_F(StoreDamageTest, KeepsThroughAPowerLossWhatAStartHasFound) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const StoreOptions options{.path = folder_.path() + "/" + std::to_string(seed)};
    test::FailingDisk disk(seed);
    auto store = std::move(Store::open(options)).value();
    put_pod(*store, "a", "1");
    ASSERT_TRUE(testing::eventually([&] { return store->durable() == 1; }));
    // Killed between a write and its sync.
    disk.hold_syncs();
    put_pod(*store, "b", "2");
    ASSERT_TRUE(testing::eventually([&] { return disk.holds_a_sync(); }));
    disk.cut_power();
    disk.release_syncs();
    store.reset();
    disk.fail_one_in(0);
    store = std::move(Store::open(options)).value();
    ASSERT_EQ(store->durable(), 2U);
    disk.cut_power();
    store.reset();
    disk.lose_unsynced();
    disk.fail_one_in(0);
    store = std::move(Store::open(options)).value();
    EXPECT_EQ(store->durable(), 2U);
    store.reset();
  }
}

// One life of a store on a disk that fails: what was there at each revision, and what was promised.
class FaultyLife {
 public:
  FaultyLife(std::string path, std::uint64_t seed)
      : path_(std::move(path)),
        random_(seed),
        durability_(random_.below(3) == 0 ? StoreOptions::Durability::Normal
                                          : StoreOptions::Durability::Full),
        disk_(seed) {}

  void run() {
    for (int start = 0; start < 6; ++start) {
      SCOPED_TRACE("start " + std::to_string(start));
      disk_.fail_one_in(start == 0 ? 0 : 10 + random_.below(200));
      const std::uint64_t failures_before = disk_.failures();
      auto store = open();
      if (store) {
        check(**store);
        if (::testing::Test::HasFatalFailure()) return;
        write(**store);
        end(std::move(*store));
      } else {
        // What failed in an earlier start is no reason.
        ASSERT_GT(disk_.failures(), failures_before) << store.error().message;
        leave();
      }
    }
    disk_.fail_one_in(0);
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    check(**store);
  }
  std::uint64_t failures() const { return disk_.failures(); }

 private:
  // The log is short, so that it is folded into the file several times in a life.
  Result<std::unique_ptr<Store>> open() const {
    return Store::open({.path = path_, .durability = durability_, .history = 20, .log_pages = 20});
  }

  // Nothing that was promised is missing, and what is there is a state that was.
  void check(const Store& store) {
    ASSERT_GE(store.revision(), promised_);
    ASSERT_LT(store.revision(), states_.size());
    ASSERT_EQ(pods_at(store, store.revision()), states_[store.revision()]);
    states_.resize(store.revision() + 1);
    promised_ = store.revision();
  }

  void write(Store& store) {
    const std::uint64_t steps = 5 + random_.below(40);
    for (std::uint64_t i = 0; i < steps && !store.failure(); ++i) {
      Pods state = states_.back();
      const std::string name = "p" + std::to_string(random_.below(5));
      if (state.contains("default/" + name) && random_.below(3) == 0) {
        remove_pod(store, name, "gone");
        state.erase("default/" + name);
      } else {
        const std::string value =
            std::to_string(states_.size()) + std::string(random_.below(9000), 'x');
        put_pod(store, name, value);
        state["default/" + name] = pod_json(name, value);
      }
      states_.push_back(std::move(state));
      if (random_.below(3) != 0) continue;
      ASSERT_TRUE(testing::eventually(
          [&] { return store.failure() || store.durable() == store.revision(); }));
    }
  }

  // The server was stopped, or it was killed, or the machine lost its power.
  void end(std::unique_ptr<Store> store) {
    const bool stopped = random_.below(3) == 0;
    if (!stopped) disk_.cut_power();
    // What Normal has promised since the start is the last moments, which may be lost.
    if (durability_ == StoreOptions::Durability::Full) promised_ = store->durable();
    store.reset();
    if (!stopped) leave();
  }

  void leave() {
    disk_.cut_power();
    if (random_.below(2) == 0) disk_.lose_unsynced();
  }

  std::string path_;
  SplitMix random_;
  StoreOptions::Durability durability_;
  test::FailingDisk disk_;
  std::vector<Pods> states_{Pods()};  // by revision
  Revision promised_ = 0;
};

TEST_F(StoreDamageTest, LosesNoDurableWriteOnADiskThatFails) {
  const std::uint64_t seed = test::seed_of_this_run();
  const int lives = test::times("PROXIMA_FAULTY_DISKS", 15);
  std::uint64_t failures = 0;
  for (int i = 0; i < lives; ++i) {
    SCOPED_TRACE("life " + std::to_string(i));
    const std::string folder = folder_.path() + "/" + std::to_string(i);
    fs::create_directory(folder);
    FaultyLife life(folder + "/proxima.db", seed + static_cast<std::uint64_t>(i));
    life.run();
    failures += life.failures();
    if (HasFatalFailure()) return;
    fs::remove_all(folder);
  }
  std::printf("%d lives with %llu failed calls\n", lives,
              static_cast<unsigned long long>(failures));
  EXPECT_GT(failures, static_cast<std::uint64_t>(lives));
}

}  // namespace
}  // namespace proxima::apiserver
