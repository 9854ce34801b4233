// SPDX-License-Identifier: Apache-2.0
#include "kube/cache.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>

#include "base/split_mix.h"

namespace proxima::kube {
namespace {

Ref<const PodRecord> pod(const std::string& ns, const std::string& name, Version version,
                         const std::string& node = "", const std::string& uid = "u") {
  auto record = make_ref<PodRecord>();
  record->workload = make_ref<PodWorkload>();
  record->ns = Text(ns);
  record->name = Text(name);
  record->uid = Text(uid);
  record->version = version;
  if (!node.empty()) record->node = Text(node);
  return record;
}

// "+a/x@1" added, "~a/x@1>2" changed, "-a/x@2" deleted.
std::string told(const Change<PodRecord>& change) {
  const std::string key = to_text(change.key());
  if (!change.before) return "+" + key + "@" + std::to_string(change.now->version);
  if (!change.now) return "-" + key + "@" + std::to_string(change.before->version);
  return "~" + key + "@" + std::to_string(change.before->version) + ">" +
         std::to_string(change.now->version);
}

class CacheTest : public ::testing::Test {
 protected:
  void listen() {
    cache_.subscribe([this](const Change<PodRecord>& change) {
      told_ += (told_.empty() ? "" : " ") + told(change);
    });
  }
  std::string take_told() { return std::exchange(told_, ""); }
  static std::string keys(const auto& each) {
    std::string out;
    each([&](const Ref<const PodRecord>& record) {
      out += (out.empty() ? "" : " ") + to_text(record->key());
    });
    return out;
  }

  Cache<PodRecord> cache_;
  std::string told_;
};

TEST_F(CacheTest, TellsOfAdditionsChangesAndDeletionsOnce) {
  listen();
  cache_.put(pod("a", "x", 1));
  EXPECT_EQ(take_told(), "+a/x@1");
  cache_.put(pod("a", "x", 1));
  EXPECT_EQ(take_told(), "");
  cache_.put(pod("a", "x", 2));
  EXPECT_EQ(take_told(), "~a/x@1>2");
  cache_.erase({"a", "x"});
  EXPECT_EQ(take_told(), "-a/x@2");
  cache_.erase({"a", "x"});
  EXPECT_EQ(take_told(), "");
}

TEST_F(CacheTest, TellsTheVersionOfEachChange) {
  std::vector<Version> versions;
  cache_.put(pod("a", "x", 3));
  cache_.subscribe([&](const Change<PodRecord>& change) { versions.push_back(change.version); });
  cache_.put(pod("a", "x", 4));
  cache_.erase({"a", "x"}, 5);
  cache_.replace({pod("a", "y", 6), pod("a", "z", 7)}, 8);
  cache_.replace({pod("a", "z", 7)}, 9);
  EXPECT_EQ(versions, (std::vector<Version>{3, 4, 5, 6, 7, 9}));
}

TEST_F(CacheTest, ReplacesAllAtOnceAndTellsOnlyRealDifferences) {
  EXPECT_FALSE(cache_.has_synced());
  listen();
  cache_.replace({pod("b", "y", 2), pod("a", "x", 1), pod("a", "z", 3)});
  EXPECT_TRUE(cache_.has_synced());
  EXPECT_EQ(take_told(), "+a/x@1 +a/z@3 +b/y@2");
  cache_.replace({pod("a", "x", 1), pod("a", "z", 5), pod("c", "w", 4)});
  EXPECT_EQ(take_told(), "~a/z@3>5 -b/y@2 +c/w@4");
  cache_.replace({});
  EXPECT_EQ(take_told(), "-a/x@1 -a/z@5 -c/w@4");
}

TEST_F(CacheTest, KeepsTheOldRecordOfWhatStaysTheSame) {
  const auto first = pod("a", "x", 1);
  cache_.replace({first});
  cache_.replace({pod("a", "x", 1)});
  EXPECT_EQ(cache_.snapshot().find({"a", "x"}), first);
}

TEST_F(CacheTest, TakesAnObjectThatWasMadeAgainForAChange) {
  cache_.put(pod("a", "x", 7, "", "first"));
  listen();
  take_told();
  cache_.put(pod("a", "x", 7, "", "second"));
  EXPECT_EQ(take_told(), "~a/x@7>7");
}

TEST_F(CacheTest, TakesTheLaterOfAnObjectThatWasListedTwice) {
  cache_.replace({pod("a", "x", 1), pod("a", "y", 2), pod("a", "x", 3)});
  EXPECT_EQ(cache_.snapshot().size(), 2U);
  EXPECT_EQ(cache_.snapshot().find({"a", "x"})->version, 3U);
}

TEST_F(CacheTest, TellsANewListenerOfWhatIsThere) {
  cache_.put(pod("a", "x", 1));
  cache_.put(pod("a", "y", 2));
  listen();
  EXPECT_EQ(take_told(), "+a/x@1 +a/y@2");
}

TEST_F(CacheTest, DoesNotCallAListenerThatLeft) {
  int calls = 0;
  const auto subscription = cache_.subscribe([&](const Change<PodRecord>&) { ++calls; });
  cache_.unsubscribe(subscription);
  cache_.put(pod("a", "x", 1));
  EXPECT_EQ(calls, 0);
}

TEST_F(CacheTest, FindsPodsByNamespaceAndByNode) {
  cache_.replace(
      {pod("a", "x", 1, "n1"), pod("a", "y", 2, "n2"), pod("ab", "x", 3, "n1"), pod("b", "z", 4)});
  const auto in = [&](std::string_view ns) {
    const auto snapshot = cache_.snapshot();
    return keys([&](auto visit) { snapshot.each_in_namespace(ns, visit); });
  };
  const auto on = [&](std::string_view node) {
    const auto snapshot = cache_.snapshot();
    return keys([&](auto visit) { snapshot.each_at({}, node, visit); });
  };
  EXPECT_EQ(in("a"), "a/x a/y");
  EXPECT_EQ(in("ab"), "ab/x");
  EXPECT_EQ(in("c"), "");
  EXPECT_EQ(on("n1"), "a/x ab/x");
  cache_.put(pod("b", "z", 5, "n1"));
  cache_.put(pod("a", "x", 6, "n2"));
  cache_.erase({"ab", "x"});
  EXPECT_EQ(on("n1"), "b/z");
  EXPECT_EQ(on("n2"), "a/x a/y");
  cache_.put(pod("b", "z", 7));
  EXPECT_EQ(on("n1"), "");
}

TEST_F(CacheTest, FindsSlicesByService) {
  Cache<EndpointSliceRecord> cache;
  const auto slice = [](const char* ns, const char* name, const char* service) {
    auto record = make_ref<EndpointSliceRecord>();
    record->meta.ns = Text(ns);
    record->meta.name = Text(name);
    if (*service != 0) record->service = Text(service);
    return record;
  };
  cache.put(slice("a", "s-1", "s"));
  cache.put(slice("a", "s-2", "s"));
  cache.put(slice("a", "t-1", "t"));
  cache.put(slice("a", "none", ""));
  cache.put(slice("b", "s-3", "s"));
  std::string found;
  cache.snapshot().each_at("a", "s",
                           [&](const auto& record) { found += to_text(record->key()) + " "; });
  EXPECT_EQ(found, "a/s-1 a/s-2 ");
}

// Readers see whole states only: the writer keeps the sum of versions of two objects even.
TEST_F(CacheTest, LetsManyReadWhileOneWrites) {
  cache_.replace({pod("a", "x", 1, "n"), pod("a", "y", 1, "n")});
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      Version last = 0;
      while (!stop) {
        const auto snapshot = cache_.snapshot();
        const auto x = snapshot.find({"a", "x"});
        ASSERT_TRUE(x);
        EXPECT_GE(x->version, last);
        last = x->version;
        std::size_t on_node = 0;
        snapshot.each_at({}, "n", [&](const auto&) { ++on_node; });
        EXPECT_EQ(on_node, 2U);
      }
    });
  for (Version version = 2; version < 3000; ++version) {
    cache_.put(pod("a", "x", version, "n"));
    cache_.put(pod("a", "y", version, "n"));
  }
  stop = true;
  for (auto& reader : readers) reader.join();
}

// What listeners were told, put together, is what the cache holds.
TEST_F(CacheTest, ItsStoryMakesTheSameState) {
  std::map<std::string, Version> replayed;
  cache_.subscribe([&](const Change<PodRecord>& change) {
    const std::string key = to_text(change.key());
    const auto was = replayed.find(key);
    ASSERT_EQ(was != replayed.end(), static_cast<bool>(change.before));
    if (change.before) {
      ASSERT_EQ(was->second, change.before->version);
    }
    if (change.now) {
      replayed[key] = change.now->version;
    } else {
      replayed.erase(key);
    }
  });
  SplitMix random(3);
  for (Version version = 1; version < 2000; ++version) {
    const std::string name = std::to_string(random.below(40));
    switch (random.below(20)) {
      case 0: {
        std::vector<Ref<const PodRecord>> all;
        for (int i = 0; i < 40; ++i)
          if (random.below(2) == 0)
            all.push_back(pod("a", std::to_string(i), random.below(version)));
        cache_.replace(all);
        break;
      }
      case 1:
      case 2:
        cache_.erase({"a", name});
        break;
      default:
        cache_.put(pod("a", name, version));
    }
  }
  std::map<std::string, Version> held;
  cache_.snapshot().each(
      [&](const auto& record) { held[to_text(record->key())] = record->version; });
  EXPECT_EQ(held, replayed);
}

}  // namespace
}  // namespace proxima::kube
