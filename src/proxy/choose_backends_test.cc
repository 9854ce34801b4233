// SPDX-License-Identifier: Apache-2.0
#include "proxy/choose_backends.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

using enum policy::Reason;

std::string printed(const Backends& backends) {
  std::string text;
  for (const Backend& backend : backends) {
    const std::string address = backend.at.address.text();
    text += (text.empty() ? "" : " ") + address.substr(address.rfind('.') + 1);
    if (backend.weight != 1) text += "*" + std::to_string(backend.weight);
  }
  return text;
}

// Words: 'i' internal policy Local, 'e' external policy Local, 'x' reachable from outside.
ServicePort port_of(std::string_view words) {
  const auto has = [&](char word) { return words.find(word) != std::string_view::npos; };
  ServicePort port;
  port.internal_policy_local = has('i');
  port.external_policy_local = has('e');
  port.externally_accessible = has('x');
  return port;
}

NodeView node_in_zone(std::string_view name, std::string_view zone) {
  NodeView view{.name = Text(name)};
  if (!zone.empty()) view.zone = Text(zone);
  return view;
}

BackendChoice choose(std::string_view endpoints, const ServicePort& port, const NodeView& here,
                     const RoutingWish& wish = {}, const route::ZoneRow* split = nullptr) {
  const std::vector<SliceRef> slices = {test::slice("s/a port=p:80 " + std::string(endpoints))};
  const auto ports = list_endpoints(slices, IpFamily::V4, here);
  const auto behind = find_port(ports, Text("p"), kube::Protocol::Tcp)->endpoints;
  return choose_backends({.port = port,
                          .endpoints = behind,
                          .node = here,
                          .wish = wish,
                          .has_split = split != nullptr,
                          .split = split});
}

// The vectors of the specification: hints, policies of Local, terminating endpoints.
TEST(ChooseBackends, FollowsHintsAndTrafficPolicies) {
  const struct {
    const char* name;
    const char* endpoints;
    const char* service;
    NodeView here;
    const char* cluster;
    const char* local;
    bool has_any;
    policy::Reason why;
  } cases[] = {
      // clang-format off
      {"its own zone's", "0.0.0.1+a 0.0.0.2+b 0.0.0.3+c 0.0.0.4+a", "", node_in_zone("n", "a"), "1 4", "", true, UsesZoneHints},
      {"one without a hint switches hints off", "0.0.0.1+a 0.0.0.2+b 0.0.0.3 0.0.0.4+a", "", node_in_zone("n", "a"), "1 2 3 4", "", true, HintsIncomplete},
      {"no hint for this zone", "0.0.0.1+a", "", node_in_zone("n", "b"), "1", "", true, NoHintForZone},
      {"a node without a zone", "0.0.0.1+a", "", node_in_zone("n", ""), "1", "", true, NodeZoneUnknown},
      {"only ready ones are looked at", "0.0.0.1+a! 0.0.0.2+b 0.0.0.3+c 0.0.0.4+a!", "", node_in_zone("n", "a"), "2 3", "", true, NoHintForZone},
      {"several zones in one hint", "0.0.0.1+a+b+c 0.0.0.2+b+c 0.0.0.3+b+d 0.0.0.4+c", "", node_in_zone("n", "c"), "1 2 4", "", true, UsesZoneHints},
      {"its own node's before its zone's", "0.0.0.1+a^n1 0.0.0.2+b^n2 0.0.0.3+c^n3 0.0.0.4+a^n4", "", node_in_zone("n1", "a"), "1", "", true, UsesNodeHints},
      {"its zone's when its node has none", "0.0.0.1+a^n1 0.0.0.2+b^n2 0.0.0.3+c^n3 0.0.0.4+a^n4", "", node_in_zone("n0", "a"), "1 4", "", true, UsesZoneHints},
      {"external Local keeps both lists", "0.0.0.1+a@n 0.0.0.2+b@n 0.0.0.3+a@m 0.0.0.4+b@m", "ex", node_in_zone("n", "a"), "1 3", "1 2", true, UsesZoneHints},
      {"internal Local without a local one", "0.0.0.1@m 0.0.0.2@m", "i", node_in_zone("n", ""), "", "", true, NoLocalEndpoint},
      {"draining ones elsewhere", "0.0.0.1@m~ 0.0.0.2@m~", "iex", node_in_zone("n", ""), "1 2", "", true, TerminatingFallback},
      {"each list falls back on its own", "0.0.0.1@m 0.0.0.2@n~ 0.0.0.3@m~ 0.0.0.4@n!", "ex", node_in_zone("n", ""), "1", "2", true, ClusterWide},
      {"neither ready nor serving", "0.0.0.1! 0.0.0.2!", "", node_in_zone("n", ""), "", "", false, NoEndpoints},
      {"serving alone is not enough", "0.0.0.1?", "", node_in_zone("n", ""), "", "", false, NoEndpoints},
      {"external Local without anything external", "0.0.0.1@m 0.0.0.2@n", "e", node_in_zone("n", ""), "1 2", "", true, ClusterWide},
      {"internal Local, reached from outside", "0.0.0.1@m 0.0.0.2@n", "ix", node_in_zone("n", ""), "1 2", "2", true, ClusterWide},
      {"nothing at all", "", "", node_in_zone("n", ""), "", "", false, NoEndpoints},
      // clang-format on
  };
  for (const auto& c : cases) {
    const BackendChoice choice = choose(c.endpoints, port_of(c.service), c.here);
    EXPECT_EQ(printed(choice.cluster), c.cluster) << c.name;
    EXPECT_EQ(printed(choice.local), c.local) << c.name;
    EXPECT_EQ(choice.has_any, c.has_any) << c.name;
    EXPECT_EQ(choice.why.reason, c.why) << c.name;
  }
}

TEST(ChooseBackends, FollowsSplits) {
  const route::ZoneRow split{"a", {{"a", 800}, {"b", 200}}};
  const struct {
    const char* name;
    const char* endpoints;
    const char* cluster;
    policy::Reason why;
    double share;
  } cases[] = {
      // clang-format off
      {"a zone's share is spread over its endpoints", "0.0.0.1%a 0.0.0.2%a 0.0.0.3%b", "1*400000 2*400000 3*200000", UsesSplit, 0.8},
      {"hints do not count beside it", "0.0.0.1%a+b 0.0.0.2%b+a", "1*800000 2*200000", UsesSplit, 0.8},
      {"zones that it does not name get nothing", "0.0.0.1%a 0.0.0.2%c", "1*1000000", UsesSplit, 1},
      {"a zone without endpoints leaves its share to the others", "0.0.0.1%b 0.0.0.2%b", "1*500000 2*500000", UsesSplit, 0},
      {"endpoints that are not ready get nothing", "0.0.0.1%a 0.0.0.2%a! 0.0.0.3%b", "1*800000 3*200000", UsesSplit, 0.8},
      {"nobody left where it points", "0.0.0.1%c 0.0.0.2%d", "1 2", SplitOutOfDate, 0},
      {"draining ones are all that is left", "0.0.0.1%a~ 0.0.0.2%c~", "1 2", TerminatingFallback, 0},
      {"nothing at all", "0.0.0.1%a!", "", NoEndpoints, 0},
      // clang-format on
  };
  for (const auto& c : cases) {
    const BackendChoice choice = choose(c.endpoints, {}, node_in_zone("n", "a"), {}, &split);
    EXPECT_EQ(printed(choice.cluster), c.cluster) << c.name;
    EXPECT_EQ(choice.why.reason, c.why) << c.name;
    EXPECT_NEAR(choice.why.share, c.share, 1e-6) << c.name;
  }
}

TEST(ChooseBackends, KeepsTrafficInARequiredZoneOrRejectsIt) {
  const RoutingWish wish{.kind = RoutingWish::Kind::RequireZone, .keys = {}};
  const struct {
    const char* name;
    const char* endpoints;
    const char* zone;
    const char* cluster;
    policy::Reason why;
  } cases[] = {
      // clang-format off
      {"its own zone's", "0.0.0.1%a 0.0.0.2%b 0.0.0.3%a", "a", "1 3", SameZone},
      {"whatever hints say", "0.0.0.1%a+b 0.0.0.2%b+a", "a", "1", SameZone},
      {"nobody else's", "0.0.0.1%a 0.0.0.2%b!", "b", "", RequiredZoneRejects},
      {"draining ones of the zone", "0.0.0.1%a~ 0.0.0.2%b~", "a", "1", SameZone},
      {"no zone, no endpoint", "0.0.0.1 0.0.0.2%b", "", "", RequiredZoneUnknown},
      // clang-format on
  };
  for (const auto& c : cases) {
    const BackendChoice choice = choose(c.endpoints, {}, node_in_zone("n", c.zone), wish);
    EXPECT_EQ(printed(choice.cluster), c.cluster) << c.name;
    EXPECT_EQ(choice.why.reason, c.why) << c.name;
    EXPECT_TRUE(choice.has_any) << c.name;
  }
  const BackendChoice rejected = choose("0.0.0.1%a", {}, node_in_zone("n", "b"), wish);
  EXPECT_EQ(policy::sentence(rejected.why.note()),
            "zone b has no ready endpoint and traffic must not leave it, so it is rejected");
}

TEST(ChooseBackends, FollowsSplitsWithoutAZoneToo) {
  const route::ZoneRow split{"-", {{"-", 250}, {"b", 750}}};
  const BackendChoice choice = choose("0.0.0.1 0.0.0.2%b", {}, node_in_zone("n", ""), {}, &split);
  EXPECT_EQ(printed(choice.cluster), "1*250000 2*750000");
  EXPECT_NEAR(choice.why.share, 0.25, 1e-6);
}

TEST(ChooseBackends, SpreadsOverEveryoneWhenTheSplitHasNoRowForTheZone) {
  const std::vector<SliceRef> slices = {test::slice("s/a port=p:80 0.0.0.1%a 0.0.0.2%b")};
  const NodeView here = node_in_zone("n", "c");
  const auto ports = list_endpoints(slices, IpFamily::V4, here);
  const BackendChoice choice = choose_backends({.port = {},
                                                .endpoints = ports.at(0).endpoints,
                                                .node = here,
                                                .wish = {},
                                                .has_split = true});
  EXPECT_EQ(printed(choice.cluster), "1 2");
  EXPECT_EQ(choice.why.reason, NoSplitForZone);
}

TEST(ChooseBackends, SaysWhichSplitCannotBeRead) {
  const struct {
    const char* name;
    const char* endpoints;
    RoutingWish::Kind wish;
    const char* cluster;
    policy::Reason why;
  } cases[] = {
      // clang-format off
      {"everyone is used then", "0.0.0.1%a 0.0.0.2%b", RoutingWish::Kind::FollowSlices, "1 2", SplitUnreadable},
      {"hints still count", "0.0.0.1%a+a 0.0.0.2%b+b", RoutingWish::Kind::FollowSlices, "1", UsesZoneHints},
      {"so does what the Service itself asks for", "0.0.0.1%a 0.0.0.2%b", RoutingWish::Kind::PreferSameZone, "1", SameZone},
      // clang-format on
  };
  for (const auto& c : cases) {
    const std::vector<SliceRef> slices = {test::slice(std::string("s/a port=p:80 ") + c.endpoints)};
    const NodeView here = node_in_zone("n", "a");
    const auto ports = list_endpoints(slices, IpFamily::V4, here);
    const BackendChoice choice = choose_backends({.port = {},
                                                  .endpoints = ports.at(0).endpoints,
                                                  .node = here,
                                                  .wish = {.kind = c.wish},
                                                  .unreadable_split = Text("web-abcde")});
    EXPECT_EQ(printed(choice.cluster), c.cluster) << c.name;
    EXPECT_EQ(choice.why.reason, c.why) << c.name;
    EXPECT_EQ(choice.why.subject.view(), c.why == SplitUnreadable ? "web-abcde" : "") << c.name;
  }
}

TEST(ChooseBackends, LeavesLocalTrafficOutOfTheSplit) {
  const route::ZoneRow split{"a", {{"b", 1000}}};
  const BackendChoice choice =
      choose("0.0.0.1%a@n 0.0.0.2%b@m", port_of("ex"), node_in_zone("n", "a"), {}, &split);
  EXPECT_EQ(printed(choice.cluster), "2*1000000");
  EXPECT_EQ(printed(choice.local), "1");
  EXPECT_EQ(choice.why_local->reason, LocalEndpointsOnly);
}

NodeView labelled(std::vector<kube::LabelText> labels) {
  NodeView here = node_in_zone("n1", "a");
  here.labels = kube::LabelSetRef(new kube::LabelSet(std::move(labels)));
  return here;
}

TEST(ChooseBackends, FollowsTopologyKeysToTheirStrictEnd) {
  const Text host(model::kHostnameLabel), zone(model::kZoneLabel), any("*");
  const Text region(model::kRegionLabel), rack("example.com/rack");
  const NodeView here = labelled(
      {{rack, Text("r7")}, {host, Text("n1")}, {region, Text("north")}, {zone, Text("a")}});
  const struct {
    const char* name;
    std::vector<Text> keys;
    const char* endpoints;
    const char* cluster;
    policy::Reason why;
  } cases[] = {
      // clang-format off
      {"the node itself", {host, zone}, "0.0.0.1@n1%a 0.0.0.2@n2%a", "1", TopologyKeyMatched},
      {"then its zone", {host, zone}, "0.0.0.1@n3%b 0.0.0.2@n2%a", "2", TopologyKeyMatched},
      {"and then nobody", {host, zone}, "0.0.0.1@n3%b", "", NoTopologyKeyMatched},
      {"or everybody, when the list says so", {host, any}, "0.0.0.1@n3%b", "1", TopologyKeyCatchAll},
      {"hints do not count beside it", {host}, "0.0.0.1@n1+b 0.0.0.2@n2+a", "1", TopologyKeyMatched},
      {"the region of the own zone", {region, any}, "0.0.0.1%a 0.0.0.2%b 0.0.0.3@n1", "1 3", TopologyKeyMatched},
      {"that of another zone is not known", {region}, "0.0.0.1@n3%b", "", NoTopologyKeyMatched},
      {"nor is that of no zone", {region, any}, "0.0.0.1", "1", TopologyKeyCatchAll},
      {"any label of the own Node, for what runs on it", {rack}, "0.0.0.1@n1%a 0.0.0.2@n2%a", "1", TopologyKeyMatched},
      {"a label that the own Node has not", {Text("example.com/row")}, "0.0.0.1@n1%a", "", NoTopologyKeyMatched},
      {"draining ones when none is ready", {zone}, "0.0.0.1%a~ 0.0.0.2%b~ 0.0.0.3%a!", "1", TopologyKeyMatched},
      // clang-format on
  };
  for (const auto& c : cases) {
    const RoutingWish wish{.kind = RoutingWish::Kind::TopologyKeys, .keys = c.keys};
    const BackendChoice choice = choose(c.endpoints, {}, here, wish);
    EXPECT_EQ(printed(choice.cluster), c.cluster) << c.name;
    EXPECT_EQ(choice.why.reason, c.why) << c.name;
    EXPECT_TRUE(choice.has_any) << c.name;
  }
}

TEST(ChooseBackends, PrefersWhatIsNearWhenNobodyElsePlans) {
  using Kind = RoutingWish::Kind;
  const struct {
    const char* name;
    Kind wish;
    NodeView here;
    const char* endpoints;
    const char* cluster;
    policy::Reason why;
  } cases[] = {
      // clang-format off
      {"the zone", Kind::PreferSameZone, node_in_zone("n", "a"), "0.0.0.1%a 0.0.0.2%b", "1", SameZone},
      {"or everyone", Kind::PreferSameZone, node_in_zone("n", "c"), "0.0.0.1%a 0.0.0.2%b", "1 2", NoneInZone},
      {"a node without a zone", Kind::PreferSameZone, node_in_zone("n", ""), "0.0.0.1%a 0.0.0.2", "1 2", NodeZoneUnknown},
      {"the node", Kind::PreferSameNode, node_in_zone("n", "a"), "0.0.0.1%a@n 0.0.0.2%a@m", "1", SameNode},
      {"or the zone", Kind::PreferSameNode, node_in_zone("n", "a"), "0.0.0.1%a@m 0.0.0.2%b@m", "1", SameZone},
      {"hints win", Kind::PreferSameZone, node_in_zone("n", "a"), "0.0.0.1%a+b 0.0.0.2%b+a", "2", UsesZoneHints},
      // clang-format on
  };
  for (const auto& c : cases) {
    const BackendChoice choice = choose(c.endpoints, {}, c.here, {.kind = c.wish, .keys = {}});
    EXPECT_EQ(printed(choice.cluster), c.cluster) << c.name;
    EXPECT_EQ(choice.why.reason, c.why) << c.name;
  }
}

}  // namespace
}  // namespace proxima::proxy
