// SPDX-License-Identifier: Apache-2.0
#include "wire/yaml_lines.h"

#include <gtest/gtest.h>

namespace proxima::wire {
namespace {

TEST(YamlLines, KnowWhereEveryValueStands) {
  const YamlLines lines = yaml_lines(
      "# a comment\n"
      "cluster:\n"
      "  zones:\n"
      "    zone-a: {nodes: 2,\n"
      "      demand: 1}\n"
      "timeline:\n"
      "  - at: 1s\n"
      "\n"
      "  - {at: 2s, do: heal}\n"
      "  - [1, 2]\n"
      "last: &x 1\n"
      "alias: *x\n");
  EXPECT_EQ(line_of(lines, "cluster"), 2U);
  EXPECT_EQ(line_of(lines, "cluster.zones.zone-a.nodes"), 4U);
  EXPECT_EQ(line_of(lines, "cluster.zones.zone-a.demand"), 5U);
  EXPECT_EQ(line_of(lines, "timeline[0].at"), 7U);
  EXPECT_EQ(line_of(lines, "timeline[1]"), 9U);
  EXPECT_EQ(line_of(lines, "timeline[2][1]"), 10U);
  EXPECT_EQ(line_of(lines, "alias"), 12U);
}

TEST(YamlLines, NameTheNearestThingAroundWhatIsNotThere) {
  const YamlLines lines = yaml_lines("a:\n  b:\n    - c: 1\n");
  EXPECT_EQ(line_of(lines, "a.b[0].missing.deep"), 3U);
  EXPECT_EQ(line_of(lines, "a.b[7]"), 2U);
  EXPECT_EQ(line_of(lines, "x.y"), 1U);
  EXPECT_EQ(line_of(lines, ""), 1U);
}

TEST(YamlLines, EndAtTheFirstMistake) {
  EXPECT_EQ(line_of(yaml_lines("a: 1\nb: [\n"), "a"), 1U);
  EXPECT_TRUE(yaml_lines("").empty());
  EXPECT_TRUE(yaml_lines("\xff\xfe\x00").empty());
  EXPECT_TRUE(yaml_lines("just text").empty());
  const std::string deep(10'000, '[');
  EXPECT_LE(yaml_lines(deep).size(), 300U);
}

}  // namespace
}  // namespace proxima::wire
