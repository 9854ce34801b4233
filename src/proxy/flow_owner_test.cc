// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_owner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "proxy/flow_views.h"
#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;
using test::PacketWorld;
using namespace std::chrono_literals;

constexpr const char* kBalancedWeb =
    "shop/web LoadBalancer ip=$cluster port=http:80>30080 vip=$vip external=$external";
constexpr const char* kWebPods = "shop/web port=http:8080 $L@here%a $R@there%b $R2@there";

FlowView view_of(const PacketWorld& world) {
  PacketWorld copy = world;
  FlowView view{
      .tables = {world.table()}, .node_zone = Text("a"), .local_addresses = copy.local_addresses()};
  std::sort(view.local_addresses.begin(), view.local_addresses.end());
  return view;
}

ConntrackEntry connection(const PacketWorld& world, std::string_view from, std::string_view to,
                          std::uint16_t port, std::string_view backend) {
  return {.original = {.protocol = dataplane::kProtocolTcp,
                       .source = {world.address(from), 40'000},
                       .destination = {world.address(to), port}},
          .reply = {.protocol = dataplane::kProtocolTcp,
                    .source = {world.address(backend), 8'080},
                    .destination = {world.address(from), 40'000}}};
}

std::string told(const std::optional<FlowOwner>& owner) {
  if (!owner) return "nobody's";
  return to_text(owner->port) + " " + std::string(owner->source_zone.view()) + ">" +
         std::string(owner->target_zone.view());
}

class FlowOwnerOf : public ::testing::TestWithParam<IpFamily> {};

TEST_P(FlowOwnerOf, EveryWayToAService) {
  PacketWorld world(GetParam());
  world.add_service(kBalancedWeb);
  world.add_slice(kWebPods);
  const FlowView view = view_of(world);
  const struct {
    const char* name;
    const char* from;
    const char* to;
    std::uint16_t port;
    const char* backend;
    const char* owner;
  } cases[] = {
      {"a Pod in its zone", "pod", "cluster", 80, "L", "shop/web:http/TCP a>a"},
      {"a Pod across zones", "pod", "cluster", 80, "R", "shop/web:http/TCP a>b"},
      {"to an endpoint without zone", "pod", "cluster", 80, "R2", "shop/web:http/TCP a>unknown"},
      {"to an endpoint that is gone", "pod", "cluster", 80, "L2", "shop/web:http/TCP a>unknown"},
      {"the node itself", "node", "cluster", 80, "R", "shop/web:http/TCP a>b"},
      {"somebody outside", "outside", "vip", 80, "L", "shop/web:http/TCP outside>a"},
      {"by an external address", "outside", "external", 80, "R", "shop/web:http/TCP outside>b"},
      {"by a node port", "outside", "node", 30'080, "L", "shop/web:http/TCP outside>a"},
      {"by a node port of another node", "pod", "outside", 30'080, "L", "nobody's"},
      {"to another port", "pod", "cluster", 81, "L", "nobody's"},
      {"to another address", "pod", "unused", 80, "L", "nobody's"},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(told(flow_owner(view, connection(world, row.from, row.to, row.port, row.backend))),
              row.owner)
        << row.name;
  }
}

TEST_P(FlowOwnerOf, AnotherProtocolIsNobody) {
  PacketWorld world(GetParam());
  world.add_service(kBalancedWeb);
  ConntrackEntry entry = connection(world, "pod", "cluster", 80, "L");
  for (const int protocol : {17, 132, 1, 47}) {
    entry.original.protocol = static_cast<std::uint8_t>(protocol);
    EXPECT_EQ(told(flow_owner(view_of(world), entry)), "nobody's") << protocol;
  }
}

TEST_P(FlowOwnerOf, SourcesAreTold) {
  PacketWorld world(GetParam());
  world.add_service(kBalancedWeb);
  world.add_slice(kWebPods);
  FlowView interfaces = view_of(world);
  interfaces.tables[0].rules.detector =
      LocalDetector{.by = LocalDetector::By::InterfacePrefix, .range = {}, .interface = "veth"};
  FlowView zoneless = view_of(world);
  zoneless.node_zone = {};
  const struct {
    const char* name;
    const FlowView& view;
    const char* from;
    const char* to;
    const char* owner;
  } cases[] = {
      {"by interface: cluster addresses are for Pods", interfaces, "outside", "cluster", "a>a"},
      {"by interface: others are for anybody", interfaces, "pod", "vip", "outside>a"},
      {"a node without zone", zoneless, "pod", "vip", "unknown>a"},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(told(flow_owner(row.view, connection(world, row.from, row.to, 80, "L"))),
              std::string("shop/web:http/TCP ") + row.owner)
        << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, FlowOwnerOf, ::testing::Values(IpFamily::V4, IpFamily::V6),
                         [](const auto& family) { return std::string(to_text(family.param)); });

TEST(FlowViews, RememberAnEndpointThatHasLeft) {
  PacketWorld before(IpFamily::V4);
  before.add_service(kBalancedWeb);
  before.add_slice("shop/web port=http:8080 $L@here%a $R@there%b");
  PacketWorld after(IpFamily::V4);
  after.add_service(kBalancedWeb);
  after.add_slice("shop/web port=http:8080 $L@here%a");
  const PacketWorld empty(IpFamily::V4);
  const ConntrackEntry entry = connection(before, "pod", "cluster", 80, "R");
  FlowViews views;
  FlowViews::Time now{};
  EXPECT_EQ(told(views.owner(entry)), "nobody's");
  views.add(view_of(before), now);
  views.add(view_of(after), now += 5s);
  EXPECT_EQ(told(views.owner(entry)), "shop/web:http/TCP a>b");
  views.add(view_of(empty), now += 5s);
  EXPECT_EQ(told(views.owner(entry)), "shop/web:http/TCP a>b") << "the whole service is gone";
  EXPECT_TRUE(views.knows_service(Text("shop"), Text("web")));
  // Minutes of many changes: five views a minute apart, and the newest.
  for (int seconds = 0; seconds < 400; ++seconds) views.add(view_of(empty), now += 1s);
  EXPECT_EQ(told(views.owner(entry)), "nobody's");
  EXPECT_FALSE(views.knows_service(Text("shop"), Text("web")));
}

TEST(FlowViews, ReachBackMinutesUnderManyChanges) {
  PacketWorld before(IpFamily::V4);
  before.add_service(kBalancedWeb);
  before.add_slice("shop/web port=http:8080 $R@there%b");
  const PacketWorld empty(IpFamily::V4);
  FlowViews views;
  FlowViews::Time now{};
  views.add(view_of(before), now);
  for (int seconds = 0; seconds < 200; ++seconds) views.add(view_of(empty), now += 1s);
  EXPECT_EQ(told(views.owner(connection(before, "pod", "cluster", 80, "R"))),
            "shop/web:http/TCP a>b");
}

}  // namespace
}  // namespace proxima::proxy
