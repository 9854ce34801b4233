// SPDX-License-Identifier: Apache-2.0
#include "slices/pack_family.h"

#include <gtest/gtest.h>

#include "slices/slice_labels.h"
#include "support/slice_world.h"

namespace proxima::slices {
namespace {

using support::SliceWorld;

std::string sizes_of(const std::vector<std::size_t>& present, SliceWorld& world) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < present.size(); ++i) {
    world.slice("web-" + std::to_string(i), first, present[i]);
    first += present[i];
  }
  return world.sizes();
}

TEST(PackFamily, FillsWithAsFewWritesAsPossible) {
  struct Row {
    const char* story;
    std::vector<std::size_t> present;  // slices that are there, all of whose endpoints are wanted
    std::size_t added;
    const char* sizes;
    const char* writes;
  };
  const Row rows[] = {
      {"new Pods fill new slices", {}, 250, "100 100 50", "3 created"},
      {"what does not fill a slice goes into the one it fits best",
       {62, 61},
       127,
       "100 89 61",
       "1 created, 1 updated"},
      {"a slice that cannot take all is left alone", {74, 74}, 152, "100 74 74 52", "2 created"},
      {"a full slice's worth is a new slice though an empty one would do",
       {0},
       100,
       "100 0",
       "1 created"},
      {"of two that fit the fuller one is taken", {10, 50, 20}, 30, "80 20 10", "1 updated"},
      {"nothing new, nothing to write", {100, 3}, 0, "100 3", "nothing"},
      {"half-empty slices are not merged", {30, 30, 30}, 0, "30 30 30", "nothing"},
  };
  for (const Row& row : rows) {
    SliceWorld world;
    std::size_t present = 0;
    for (const std::size_t count : row.present) present += count;
    world.pods(present + row.added);
    sizes_of(row.present, world);
    EXPECT_EQ(world.sync(), row.writes) << row.story;
    EXPECT_EQ(world.sizes(), row.sizes) << row.story;
    EXPECT_EQ(world.sync(), "nothing") << row.story;
  }
}

}  // namespace
}  // namespace proxima::slices
