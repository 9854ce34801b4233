// SPDX-License-Identifier: Apache-2.0
#include "simulation/cache_watch.h"

#include <gtest/gtest.h>

#include "kube/node_record.h"

namespace proxima::simulation {
namespace {

Ref<const kube::NodeRecord> node(const char* name, kube::Version version) {
  auto record = make_ref<kube::NodeRecord>();
  record->meta.name = Text(name);
  record->meta.uid = Text("uid");
  record->meta.version = version;
  return record;
}

struct CacheWatchWorld {
  CacheWatchWorld() { watch.add(cache, "nodes", "mirroring"); }

  Scheduler scheduler{1};
  Process process{scheduler, "controller-a#1", 1.0};
  std::string wrong;
  CacheWatch watch{process, [this](const std::string& what) { wrong = what; }};
  kube::Cache<kube::NodeRecord> cache;
};

TEST(CacheWatch, LetsACacheGoForward) {
  CacheWatchWorld world;
  world.cache.put(node("a", 5));
  world.cache.put(node("a", 7));
  world.cache.erase({{}, "a"}, 8);
  world.cache.put(node("a", 9));
  EXPECT_EQ(world.wrong, "");
}

TEST(CacheWatch, FindsAnOlderVersion) {
  CacheWatchWorld world;
  world.cache.put(node("a", 7));
  world.cache.put(node("a", 5));
  EXPECT_EQ(world.wrong, "controller-a#1: the cache of mirroring nodes goes back: a from 7 to 5");
}

TEST(CacheWatch, FindsWhatComesBackThoughItWasDeleted) {
  CacheWatchWorld world;
  world.cache.put(node("a", 5));
  world.cache.erase({{}, "a"}, 9);
  world.cache.put(node("a", 7));
  EXPECT_EQ(world.wrong, "controller-a#1: the cache of mirroring nodes goes back: a from 9 to 7");
}

TEST(CacheWatch, CountsWhatIsInACache) {
  CacheWatchWorld world;
  world.cache.replace({node("a", 1), node("b", 1)}, 1);
  world.cache.put(node("a", 2));
  world.cache.erase({{}, "b"}, 3);
  ASSERT_EQ(world.watch.held().size(), 1U);
  EXPECT_EQ(world.watch.held()[0].count, 1U);
}

}  // namespace
}  // namespace proxima::simulation
