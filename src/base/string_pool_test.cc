// SPDX-License-Identifier: Apache-2.0
#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace proxima {
namespace {

TEST(StringPool, EqualTextsGetEqualNumbers) {
  StringPool pool;
  const NameId a = pool.intern("zone-a");
  EXPECT_EQ(pool.intern(std::string("zone-") + "a"), a);
  EXPECT_NE(pool.intern("zone-b"), a);
  EXPECT_EQ(pool.size(), 2U);
  EXPECT_EQ(pool[a], "zone-a");
}

TEST(StringPool, NoneDiffersFromTheEmptyText) {
  StringPool pool;
  const NameId empty = pool.intern("");
  EXPECT_TRUE(empty.has_value());
  EXPECT_NE(empty, NameId());
  EXPECT_EQ(pool[empty], "");
  EXPECT_EQ(pool[NameId()], "");
}

TEST(StringPool, FindsOnlyWhatWasInterned) {
  StringPool pool;
  const NameId a = pool.intern("a");
  EXPECT_EQ(pool.find("a"), a);
  EXPECT_FALSE(pool.find("b"));
}

TEST(StringPool, ViewsSurviveGrowthAndMoving) {
  StringPool pool;
  const NameId first = pool.intern("first");
  const std::string_view view = pool[first];
  const std::string large(1 << 20, 'x');  // larger than a block
  const NameId big = pool.intern(large);
  for (int i = 0; i < 100'000; ++i) pool.intern("name-" + std::to_string(i));
  const StringPool moved = std::move(pool);
  EXPECT_EQ(view.data(), moved[first].data());
  EXPECT_EQ(moved[big], large);
  EXPECT_EQ(moved[moved.find("name-99999")], "name-99999");
}

TEST(StringPool, ForgetsALayerOfNamesAndKeepsTheOnesBelow) {
  StringPool pool;
  const NameId kept = pool.intern("kept");
  const auto mark = pool.mark();
  const std::string large(1 << 20, 'x');
  for (int round = 0; round < 1000; ++round) {
    const NameId gone = pool.intern("gone-" + std::to_string(round));
    EXPECT_EQ(gone.value(), 1U) << "numbers are used again";
    pool.intern("");
    pool.intern(large);
    EXPECT_EQ(pool.intern("kept"), kept);
    pool.forget_since(mark);
    EXPECT_FALSE(pool.find("gone-" + std::to_string(round)));
    EXPECT_FALSE(pool.find(""));
  }
  EXPECT_EQ(pool.size(), 1U);
  EXPECT_EQ(pool[kept], "kept");
}

TEST(StringPool, KeepsTextWithNulBytesApart) {
  StringPool pool;
  EXPECT_NE(pool.intern(std::string_view("a\0b", 3)), pool.intern("a"));
}

}  // namespace
}  // namespace proxima
