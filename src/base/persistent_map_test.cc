// SPDX-License-Identifier: Apache-2.0
#include "base/persistent_map.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/split_mix.h"

namespace proxima {
namespace {

struct Entry : RefCounted {
  Entry(int k, int v) : key(k), value(v) {}
  int key;
  int value;
};

struct ByKey {
  static bool less(const Entry& a, const Entry& b) { return a.key < b.key; }
  static bool less(const Entry& a, int b) { return a.key < b; }
  static bool less(int a, const Entry& b) { return a < b.key; }
};

using Map = PersistentMap<Entry, ByKey>;
using Model = std::map<int, int>;

Map::Value entry(int key, int value) { return Map::Value(new Entry(key, value)); }

Model content(const Map& map) {
  Model found;
  int last = -1;
  map.each([&](const Map::Value& value) {
    EXPECT_LT(last, value->key);
    last = value->key;
    found[value->key] = value->value;
    return true;
  });
  EXPECT_EQ(found.size(), map.size());
  return found;
}

// Random puts and erases beside a std::map; every copy that was taken keeps what it had.
TEST(PersistentMap, HoldsWhatAModelHoldsAndCopiesStayAsTheyWere) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SplitMix random(seed);
    const int keys = 1 + static_cast<int>(random.below(700));
    Map map;
    Model model;
    std::vector<std::pair<Map, Model>> copies;
    for (int step = 0; step < 3000; ++step) {
      const int key = static_cast<int>(random.below(static_cast<std::uint64_t>(keys)));
      // More puts than erases first, then the other way round, so that trees shrink to nothing too.
      if (random.below(10) < (step < 1500 ? 7U : 2U)) {
        const auto replaced = map.put(entry(key, step));
        EXPECT_EQ(static_cast<bool>(replaced), model.contains(key));
        model[key] = step;
      } else {
        const auto erased = map.erase(key);
        EXPECT_EQ(static_cast<bool>(erased), model.erase(key) == 1);
      }
      if (random.below(100) == 0) copies.emplace_back(map, model);
    }
    ASSERT_EQ(content(map), model) << "seed " << seed;
    for (const auto& [copy, was] : copies) ASSERT_EQ(content(copy), was) << "seed " << seed;
  }
}

TEST(PersistentMap, FindsWhatIsThereAndNothingElse) {
  Map map;
  for (int key = 0; key < 1000; key += 2) map.put(entry(key, key));
  for (int key = -1; key < 1001; ++key) {
    const Entry* found = map.find(key);
    ASSERT_EQ(found != nullptr, key >= 0 && key < 1000 && key % 2 == 0) << key;
    if (found != nullptr) {
      EXPECT_EQ(found->value, key);
    }
  }
}

TEST(PersistentMap, VisitsFromAnyKeyOn) {
  for (const int size : {0, 1, 15, 16, 17, 300}) {
    std::vector<Map::Value> values;
    for (int key = 0; key < size; ++key) values.push_back(entry(key * 2, key));
    const Map map = Map::from_sorted(values);
    for (int from = -1; from <= size * 2; ++from) {
      std::vector<int> seen;
      map.each_from(from, [&](const Map::Value& value) {
        seen.push_back(value->key);
        return seen.size() < 3;
      });
      std::vector<int> wanted;
      for (int key = from < 0 ? 0 : from + from % 2; key < size * 2 && wanted.size() < 3; key += 2)
        wanted.push_back(key);
      ASSERT_EQ(seen, wanted) << "size " << size << " from " << from;
    }
  }
}

TEST(PersistentMap, IsTheSameBuiltAtOnceAsOneByOne) {
  for (int size = 0; size < 600; size += 7) {
    std::vector<Map::Value> values;
    Map one_by_one;
    for (int key = 0; key < size; ++key) {
      values.push_back(entry(key, key));
      one_by_one.put(values.back());
    }
    Map at_once = Map::from_sorted(values);
    EXPECT_EQ(content(at_once), content(one_by_one));
    for (int key = 0; key < size; key += 3) at_once.erase(key);
    EXPECT_EQ(at_once.size(), static_cast<std::size_t>(size - (size + 2) / 3));
  }
}

TEST(PersistentMap, HoldsNoValueLongerThanItMust) {
  const auto value = entry(5, 1);
  {
    Map map;
    for (int key = 0; key < 100; ++key) map.put(key == 5 ? value : entry(key, 0));
    Map copy = map;
    map.put(entry(5, 2));
    EXPECT_FALSE(value.is_unique());
    copy = {};
    EXPECT_TRUE(value.is_unique());
    map.put(value);
    map.erase(5);
    EXPECT_TRUE(value.is_unique());
  }
}

TEST(PersistentMap, LetsOthersReadTheirCopiesWhileOneChangesHis) {
  Map map;
  for (int key = 0; key < 2000; ++key) map.put(entry(key, 0));
  std::vector<std::thread> readers;
  for (int round = 1; round <= 20; ++round) {
    readers.emplace_back([copy = map, round] {
      copy.each([&](const Map::Value& value) {
        EXPECT_LT(value->value, round);
        return true;
      });
    });
    for (int key = round; key < 2000; key += 97) map.put(entry(key, round));
  }
  for (auto& reader : readers) reader.join();
}

}  // namespace
}  // namespace proxima
