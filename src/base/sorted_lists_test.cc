// SPDX-License-Identifier: Apache-2.0
#include "base/sorted_lists.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima {
namespace {

// A key and a value.
using Keyed = std::pair<int, char>;
using KeyedList = std::vector<Keyed>;

struct DropSteps {
  std::size_t count = 0;

  void drop(KeyedList& first, KeyedList& second) {
    drop_equal(
        first, second, [&](const Keyed& a, const Keyed& b) { return ++count, a.first < b.first; },
        [&](const Keyed& a, const Keyed& b) { return ++count, a == b; });
  }
};

std::string keyed_text(const KeyedList& entries) {
  std::string text;
  for (const auto& [key, value] : entries) text += std::to_string(key) + value;
  return text;
}

TEST(SortedLists, LoseWhatIsEqualInBoth) {
  const struct {
    const char* name;
    KeyedList first;
    KeyedList second;
    const char* left;
    const char* right;
  } rows[] = {
      {"nothing", {}, {}, "", ""},
      {"one is empty", {{1, 'a'}}, {}, "1a", ""},
      {"the other is empty", {}, {{1, 'a'}}, "", "1a"},
      {"equal lists", {{1, 'a'}, {2, 'b'}}, {{1, 'a'}, {2, 'b'}}, "", ""},
      {"another value", {{1, 'a'}, {2, 'b'}}, {{1, 'a'}, {2, 'c'}}, "2b", "2c"},
      {"one more before", {{2, 'b'}}, {{1, 'a'}, {2, 'b'}}, "", "1a"},
      {"one more behind", {{1, 'a'}, {2, 'b'}, {3, 'c'}}, {{1, 'a'}}, "2b3c", ""},
      {"nothing in common", {{1, 'a'}, {3, 'a'}}, {{2, 'a'}, {4, 'a'}}, "1a3a", "2a4a"},
  };
  for (const auto& row : rows) {
    KeyedList first = row.first;
    KeyedList second = row.second;
    DropSteps().drop(first, second);
    EXPECT_EQ(keyed_text(first), row.left) << row.name;
    EXPECT_EQ(keyed_text(second), row.right) << row.name;
  }
}

TEST(SortedLists, AreReadOnce) {
  constexpr int kMany = 20'000;
  KeyedList first;
  KeyedList second;
  for (int i = 0; i < kMany; ++i) {
    first.emplace_back(i, 'a');
    second.emplace_back(i + kMany / 2, i % 2 == 0 ? 'a' : 'b');
  }
  DropSteps steps;
  steps.drop(first, second);
  EXPECT_EQ(first.size(), kMany * 3U / 4);
  EXPECT_EQ(second.size(), kMany * 3U / 4);
  EXPECT_LE(steps.count, 3U * 2 * kMany);
}

}  // namespace
}  // namespace proxima
