// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_shape.h"

#include <gtest/gtest.h>

#include <functional>

namespace proxima::agents {
namespace {

struct ShapeFaultRow {
  const char* name;
  std::function<void(LabShape&)> change;
  const char* field;
  const char* message;
};

const ShapeFaultRow kShapeFaults[] = {
    {"no zone", [](auto& s) { s.zones.clear(); }, "zones", "there must be one at least"},
    {"a zone without nodes", [](auto& s) { s.zones[1].nodes = 0; }, "zones.zone-b.nodes",
     "at least 1"},
    {"a zone twice", [](auto& s) { s.zones[1].name = "zone-a"; }, "zones.zone-a", "comes twice"},
    {"too many nodes", [](auto& s) { s.zones[0].nodes = std::size_t(-1); }, "zones",
     "more than 50 nodes"},
    {"demand below nothing", [](auto& s) { s.zones[0].demand = -1; }, "zones.zone-a.demand",
     "a number that is 0 or more"},
    {"no demand anywhere",
     [](auto& s) {
       for (auto& z : s.zones) z.demand = 0;
     },
     "zones", "no zone has any demand"},
    {"a name that Kubernetes refuses", [](auto& s) { s.services[0].name = "Web_1"; },
     "services[0].name",
     "\"Web_1\" is not a name: lower-case letters, digits and '-', beginning with a letter, at "
     "most 50 of them"},
    {"a Service twice", [](auto& s) { s.services[1].name = "even"; }, "services[1].name",
     "shop/even comes twice"},
    {"Pods in a zone that is not there", [](auto& s) { s.services[2].endpoints["zone-x"] = 1; },
     "services[2].endpoints.zone-x", "no such zone; there are zone-a, zone-b, zone-c"},
    {"more Pods than a zone takes", [](auto& s) { s.services[2].endpoints["zone-a"] = 51; },
     "services[2].endpoints.zone-a", "more than 50"},
    {"a policy that is none", [](auto& s) { s.services[0].policy = "nearest"; },
     "services[0].policy",
     "no policy \"nearest\"; there are cluster-wide, topology-keys, auto, prefer-same-zone, "
     "prefer-same-node, zone-aware, balanced, require-zone"},
    {"a dial that is none", [](auto& s) { s.services[0].overload = "much"; },
     "services[0].overload",
     "\"much\" is not a bound on overload: use a percentage such as 20%, a number such as 0.2, or "
     "inf"},
    {"a share below nothing", [](auto& s) { s.services[0].share = -0.1; }, "services[0].share",
     "a number that is 0 or more"},
    {"a port that is none", [](auto& s) { s.services[0].port = 0; }, "services[0].port",
     "a number from 1 to 65535"},
    {"a rate beyond measure", [](auto& s) { s.requests_per_second = 1e9; }, "requestsPerSecond",
     "a number from 0 to 5000"},
};

TEST(LabShape, NamesTheFieldThatCannotBe) {
  for (const ShapeFaultRow& row : kShapeFaults) {
    LabShape shape = default_shape();
    row.change(shape);
    const auto fault = fault_in(shape);
    ASSERT_TRUE(fault) << row.name;
    EXPECT_EQ(fault->field, row.field) << row.name;
    EXPECT_EQ(fault->message, row.message) << row.name;
  }
}

TEST(LabShape, IsByDefaultThreeZonesOfTwoNodesWithThreeShapesOfServices) {
  const LabShape shape = default_shape();
  EXPECT_FALSE(fault_in(shape));
  std::string text;
  for (const ServiceShape& service : shape.services) {
    text += service.key() + " " + service.policy;
    for (const auto& [zone, count] : service.endpoints) text += " " + std::to_string(count);
    text += "; ";
  }
  EXPECT_EQ(text, "shop/even auto 2 2 2; shop/lopsided auto 2 1 1; shop/single auto 3 0 0; ");
  ASSERT_EQ(shape.zones.size(), 3U);
  for (const ZoneShape& zone : shape.zones) EXPECT_EQ(zone.nodes, 2U);
}

}  // namespace
}  // namespace proxima::agents
