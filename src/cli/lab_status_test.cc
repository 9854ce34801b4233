// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_status.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

constexpr const char* kState = R"({
 "zones":[{"name":"zone-a","failed":false,"demand":0.8,"requestsPerSecond":48.04},
          {"name":"zone-b","failed":true,"demand":0.2,"requestsPerSecond":0}],
 "nodes":[{"name":"node-1","zone":"zone-a","ready":true,"cordoned":false,"power":true,
           "address":"192.168.1.2","status":"http://127.0.0.1:41234"},
          {"name":"node-2","zone":"zone-a","ready":true,"cordoned":true,"power":true,
           "address":"192.168.2.2"},
          {"name":"node-3","zone":"zone-b","ready":false,"power":false,"address":"192.168.3.2"}],
 "services":[{"service":"shop/even","policy":"auto","endpoints":6,
   "plan":{"local":1,"why":{"text":"every zone has its share"}},
   "measured":{"local":0.985,"worstOverload":0.12,"requestsPerSecond":20,"failed":0}},
  {"service":"shop/odd","policy":"cluster-wide","endpoints":1,
   "plan":{"local":0.333},"measured":null},
  {"service":"shop/young","policy":"auto","endpoints":3,"plan":{"local":1},
   "measured":{"local":1,"worstOverload":null,"requestsPerSecond":2,"failed":0}}]})";

TEST(LabStatus, ShowsZonesNodesAndServices) {
  const auto tables = lab_tables(kState, {});
  ASSERT_TRUE(tables);
  EXPECT_EQ(
      *tables,
      "ZONE    STATE   DEMAND  REQ/S\n"
      "zone-a  up         80%   48.0\n"
      "zone-b  failed     20%    0.0\n"
      "\n"
      "NODE    ZONE    STATE     ADDRESS      PROXY\n"
      "node-1  zone-a  ready     192.168.1.2  http://127.0.0.1:41234\n"
      "node-2  zone-a  cordoned  192.168.2.2  -\n"
      "node-3  zone-b  dead      192.168.3.2  -\n"
      "\n"
      "SERVICE     POLICY        PODS  LOCAL  PLANNED   OVERLOAD  REQ/S  FAILED  WHY\n"
      "shop/even   auto             6  98.5%     100%       +12%   20.0     0.0  every zone has "
      "its share\n"
      "shop/odd    cluster-wide     1      -    33.3%          -      -       -\n"
      "shop/young  auto             3   100%     100%  measuring    2.0     0.0\n");
}

TEST(LabStatus, KnowsTheNamesThatActionsTake) {
  const auto names = lab_names(kState);
  ASSERT_TRUE(names);
  EXPECT_EQ(names->zones, (std::vector<std::string>{"zone-a", "zone-b"}));
  EXPECT_EQ(names->nodes, (std::vector<std::string>{"node-1", "node-2", "node-3"}));
  EXPECT_EQ(names->services, (std::vector<std::string>{"shop/even", "shop/odd", "shop/young"}));
}

TEST(LabStatus, RefusesWhatIsNoState) {
  for (const char* text : {"", "[]", "{", "12"}) {
    EXPECT_FALSE(lab_names(text)) << text;
    EXPECT_FALSE(lab_tables(text, {})) << text;
  }
  const auto empty = lab_tables("{\"zones\":7}", {});
  ASSERT_TRUE(empty);  // a server of another version shows what it has
}

}  // namespace
}  // namespace proxima::cli
