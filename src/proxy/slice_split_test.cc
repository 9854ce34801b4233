// SPDX-License-Identifier: Apache-2.0
#include "proxy/slice_split.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

std::string row_for(std::string_view zone, const std::vector<std::string>& slices,
                    IpFamily family = IpFamily::V4) {
  NodeView here{.name = Text("n")};
  if (!zone.empty()) here.zone = Text(zone);
  std::vector<SliceRef> records;
  for (const std::string& slice : slices) records.push_back(test::slice(slice));
  const SliceSplit split = slice_split(records, family, here);
  if (!split.unreadable.view().empty())
    return "cannot read " + std::string(split.unreadable.view());
  if (!split.present) return "none";
  return split.row ? route::render({*split.row}) : "no row";
}

TEST(SliceSplit, IsTheRowOfTheNodesZone) {
  const std::string split = " annotation=proxima.io/zone-split:-=a:1000;a=a:930,b:70;b=b:1000";
  const struct {
    const char* name;
    const char* zone;
    std::vector<std::string> slices;
    const char* row;
  } cases[] = {
      {"its own", "a", {"s/w" + split}, "a=a:930,b:70"},
      {"another zone's", "b", {"s/w" + split}, "b=b:1000"},
      {"a node without a zone has a row too", "", {"s/w" + split}, "-=a:1000"},
      {"a zone that the plan does not know", "c", {"s/w" + split}, "no row"},
      {"no split", "a", {"s/w", "s/w/2"}, "none"},
      {"one slice in many is enough", "a", {"s/w/1", "s/w/2" + split}, "a=a:930,b:70"},
      {"the last writing counts",
       "a",
       {"s/w/1 version=7 annotation=proxima.io/zone-split:a=b:1000", "s/w/2 version=6" + split},
       "a=b:1000"},
      {"what cannot be read does not count",
       "a",
       {"s/w/1 version=7 annotation=proxima.io/zone-split:a=b:1001", "s/w/2 version=6" + split},
       "a=a:930,b:70"},
      {"nothing that can be read: the last writing is named",
       "a",
       {"s/w/1 version=7 annotation=proxima.io/zone-split:nonsense",
        "s/w/2 version=8 annotation=proxima.io/zone-split:a=b:1"},
       "cannot read 2"},
      {"the other family's", "a", {"s/w v6" + split}, "none"},
  };
  for (const auto& c : cases) EXPECT_EQ(row_for(c.zone, c.slices), c.row) << c.name;
  EXPECT_EQ(row_for("a", {"s/w v6" + split}, IpFamily::V6), "a=a:930,b:70");
}

}  // namespace
}  // namespace proxima::proxy
