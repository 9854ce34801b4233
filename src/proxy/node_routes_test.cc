// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_routes.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/split_mix.h"
#include "kube/record_reader.h"
#include "support/route_world.h"
#include "support/routes_world.h"
#include "wire/json_scanner.h"

namespace proxima::proxy {
namespace {

constexpr auto kIpv4 = IpFamily::V4;

NodeView node(std::string_view zone) { return {.name = Text("n1"), .zone = Text(zone)}; }

// "+a/b:p/TCP" a new port, "-" one that is gone, "~" one that changed; frontends the same way.
template <class Change, class Print>
std::string printed(const std::vector<Change>& changes, Print print) {
  std::string text;
  for (const Change& change : changes) {
    const char mark = !change.before ? '+' : !change.after ? '-' : '~';
    text += (text.empty() ? "" : " ") + std::string(1, mark) +
            print(change.after ? *change.after : *change.before);
  }
  return text;
}

std::string ports(const RouteChanges& changes) {
  return printed(changes.ports, [](const PortRoutes& routes) { return to_text(routes.port.key); });
}

std::string frontends(const RouteChanges& changes) {
  return printed(changes.frontends, [](const FrontendRoute& route) { return to_text(route.at); });
}

// One world of IPv4, told in words.
class Routes {
 public:
  explicit Routes(NodeRoutesOptions options = test::both_families()) : routes_(std::move(options)) {
    routes_.set_node(node("a"));
  }

  void service(std::string_view before, std::string_view after) {
    routes_.change_service(before.empty() ? ServiceRef() : test::service(before),
                           after.empty() ? ServiceRef() : test::service(after));
  }
  void slice(std::string_view before, std::string_view after) {
    routes_.change_slice(before.empty() ? SliceRef() : test::slice(before),
                         after.empty() ? SliceRef() : test::slice(after));
  }
  RouteChanges update() { return routes_.update().at(0).changes; }
  NodeRoutes& routes() { return routes_; }
  const RouteTable& table() const { return *routes_.table(kIpv4); }
  Action action(std::string_view address, std::uint16_t port) const {
    const auto route = table().in_force({.address = *IpAddress::parse(address), .port = port});
    return route ? route->from(Source::Outside).action : Action::Drop;
  }

 private:
  NodeRoutes routes_;
};

constexpr const char* kRoutedWeb = "s/web ip=10.0.0.1 port=p:80";
constexpr const char* kWebSlice = "s/web port=p:80 10.1.0.1";

TEST(NodeRoutes, TellWhatAChangeBrought) {
  Routes routes;
  routes.service("", kRoutedWeb);
  RouteChanges changes = routes.update();
  EXPECT_EQ(ports(changes), "+s/web:p/TCP");
  EXPECT_EQ(frontends(changes), "+10.0.0.1:80/TCP");
  EXPECT_EQ(changes.new_cluster_ips.size(), 1U);
  EXPECT_EQ(routes.action("10.0.0.1", 80), Action::Reject);

  routes.slice("", kWebSlice);
  changes = routes.update();
  EXPECT_EQ(ports(changes), "~s/web:p/TCP");
  EXPECT_EQ(frontends(changes), "~10.0.0.1:80/TCP");
  EXPECT_EQ(routes.action("10.0.0.1", 80), Action::Cluster);

  routes.slice(kWebSlice, "s/web port=p:80 10.1.0.1 10.1.0.2");
  changes = routes.update();
  EXPECT_EQ(ports(changes), "~s/web:p/TCP");
  EXPECT_EQ(frontends(changes), "") << "where packets go is the port's business";

  routes.service(kRoutedWeb, "");
  changes = routes.update();
  EXPECT_EQ(ports(changes), "-s/web:p/TCP");
  EXPECT_EQ(frontends(changes), "-10.0.0.1:80/TCP");
  EXPECT_EQ(changes.old_cluster_ips.size(), 1U);
  EXPECT_TRUE(changes.new_cluster_ips.empty());
}

TEST(NodeRoutes, SayNothingWhenNothingChangesForTheNode) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.slice("", kWebSlice);
  routes.update();
  EXPECT_FALSE(routes.routes().has_pending());
  const struct {
    const char* name;
    std::string slice;
  } cases[] = {
      {"a new version", std::string(kWebSlice) + " version=9"},
      {"an annotation", std::string(kWebSlice) + " annotation=a:b"},
      {"the order of ports and endpoints", "s/web port=q:81 port=p:80 10.1.0.1"},
      {"an endpoint that is of no use", std::string(kWebSlice) + " 10.1.0.9!"},
  };
  for (const auto& c : cases) {
    routes.slice(kWebSlice, c.slice);
    EXPECT_TRUE(routes.routes().has_pending()) << c.name;
    EXPECT_TRUE(routes.update().empty()) << c.name;
  }
}

// Plans as ever, but for Services called "broken" whose slices have more than one endpoint.
NodeRoutesOptions breaking() {
  NodeRoutesOptions options = test::both_families();
  options.plan = [](const ServiceInput& input) {
    const bool is_sane = input.service.meta.name.view() != "broken" || input.slices.empty() ||
                         input.slices.front()->endpoints.size() < 2;
    PROXIMA_CHECK(is_sane);
    return plan_service(input);
  };
  return options;
}

TEST(NodeRoutes, KeepWhatAServiceHasWhenItCannotBePlanned) {
  constexpr const char* kBroken = "s/broken ip=10.0.0.9 port=p:80";
  constexpr const char* kOne = "s/broken port=p:80 10.1.0.1";
  constexpr const char* kTwo = "s/broken port=p:80 10.1.0.1 10.1.0.2";
  Routes routes(breaking());
  routes.service("", kBroken);
  routes.slice("", kOne);
  routes.update();
  const RouteTable before = routes.table();

  routes.slice(kOne, kTwo);
  routes.service("", kRoutedWeb);
  routes.slice("", kWebSlice);
  EXPECT_EQ(ports(routes.update()), "+s/web:p/TCP") << "the others go on";
  EXPECT_EQ(routes.action("10.0.0.9", 80), Action::Cluster) << "and it keeps its routes";
  EXPECT_EQ(routes.table().ports_of(Text("s"), Text("broken")),
            before.ports_of(Text("s"), Text("broken")));
  EXPECT_EQ(routes.routes().failures().size(), 1U);
  ASSERT_EQ(routes.routes().new_failures().size(), 1U);
  EXPECT_EQ(routes.routes().new_failures()[0].service.view(), "broken");
  EXPECT_EQ(routes.routes().new_failures()[0].what.substr(0, 26), "broken invariant: is_sane ");

  routes.slice(kTwo, "s/broken port=p:80 10.1.0.1 10.1.0.2 10.1.0.3");
  EXPECT_TRUE(routes.update().empty());
  EXPECT_TRUE(routes.routes().new_failures().empty()) << "the same failure is no news";
  EXPECT_EQ(routes.routes().failures().size(), 1U);

  routes.slice(kTwo, "s/broken port=p:80 10.1.0.7");
  EXPECT_EQ(ports(routes.update()), "~s/broken:p/TCP") << "as soon as it can be planned, it is";
  EXPECT_EQ(routes.routes().failures().size(), 0U);
}

TEST(NodeRoutes, ForgetAServiceThatCouldNotBePlanned) {
  constexpr const char* kBroken = "s/broken ip=10.0.0.9 port=p:80";
  constexpr const char* kTwo = "s/broken port=p:80 10.1.0.1 10.1.0.2";
  Routes routes(breaking());
  routes.service("", kBroken);
  routes.update();
  routes.slice("", kTwo);
  routes.update();
  EXPECT_EQ(routes.routes().failures().size(), 1U);
  routes.service(kBroken, "");
  EXPECT_EQ(ports(routes.update()), "-s/broken:p/TCP");
  EXPECT_EQ(routes.routes().failures().size(), 0U);
}

TEST(NodeRoutes, TakeChangesTogether) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.service(kRoutedWeb, "");
  routes.slice("", kWebSlice);
  EXPECT_TRUE(routes.update().empty()) << "a Service that came and went";
  routes.service("", kRoutedWeb);
  routes.slice(kWebSlice, "s/web port=p:80 10.1.0.1 10.1.0.2");
  const RouteChanges changes = routes.update();
  EXPECT_EQ(ports(changes), "+s/web:p/TCP");
  EXPECT_EQ(changes.ports.at(0).after->cluster.size(), 2U);
}

TEST(NodeRoutes, FollowAServiceThroughItsTransitions) {
  const struct {
    const char* name;
    const char* before;
    const char* after;
    const char* ports;
    const char* frontends;
  } cases[] = {
      // clang-format off
      {"a port is renamed", kRoutedWeb, "s/web ip=10.0.0.1 port=q:80", "-s/web:p/TCP +s/web:q/TCP", "~10.0.0.1:80/TCP"},
      {"another number", kRoutedWeb, "s/web ip=10.0.0.1 port=p:81", "~s/web:p/TCP", "-10.0.0.1:80/TCP +10.0.0.1:81/TCP"},
      {"another protocol", kRoutedWeb, "s/web ip=10.0.0.1 port=p:80/UDP", "-s/web:p/TCP +s/web:p/UDP", "-10.0.0.1:80/TCP +10.0.0.1:80/UDP"},
      {"a node port", kRoutedWeb, "s/web NodePort ip=10.0.0.1 port=p:80>30080", "~s/web:p/TCP", "+*:30080/TCP"},
      {"a balancer and an external address", kRoutedWeb, "s/web LoadBalancer ip=10.0.0.1 port=p:80 vip=1.2.3.4 external=5.6.7.8", "~s/web:p/TCP", "+1.2.3.4:80/TCP +5.6.7.8:80/TCP"},
      {"it becomes headless", kRoutedWeb, "s/web headless port=p:80", "-s/web:p/TCP", "-10.0.0.1:80/TCP"},
      {"it becomes a name", kRoutedWeb, "s/web ExternalName port=p:80", "-s/web:p/TCP", "-10.0.0.1:80/TCP"},
      {"somebody else takes it over", kRoutedWeb, "s/web ip=10.0.0.1 port=p:80 label=service.kubernetes.io/service-proxy-name:x", "-s/web:p/TCP", "-10.0.0.1:80/TCP"},
      {"affinity", kRoutedWeb, "s/web ip=10.0.0.1 port=p:80 affinity=60", "~s/web:p/TCP", ""},
      {"nothing that matters", kRoutedWeb, "s/web ip=10.0.0.1 port=p:80 label=a:b", "", ""},
      // clang-format on
  };
  for (const auto& c : cases) {
    Routes routes;
    routes.slice("", kWebSlice);
    routes.service("", c.before);
    routes.update();
    routes.service(c.before, c.after);
    const RouteChanges changes = routes.update();
    EXPECT_EQ(ports(changes), c.ports) << c.name;
    EXPECT_EQ(frontends(changes), c.frontends) << c.name;
    routes.service(c.after, c.before);
    routes.update();
    EXPECT_EQ(routes.action("10.0.0.1", 80), Action::Cluster) << c.name << ", and back";
  }
}

TEST(NodeRoutes, MoveASliceThatChangesItsService) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.service("", "s/other ip=10.0.0.2 port=p:80");
  routes.slice("", "s/web/x port=p:80 10.1.0.1");
  routes.update();
  routes.slice("s/web/x port=p:80 10.1.0.1", "s/other/x port=p:80 10.1.0.1");
  EXPECT_EQ(ports(routes.update()), "~s/other:p/TCP ~s/web:p/TCP");
  EXPECT_EQ(routes.action("10.0.0.1", 80), Action::Reject);
  EXPECT_EQ(routes.action("10.0.0.2", 80), Action::Cluster);
}

TEST(NodeRoutes, RouteEachFamilyByItsOwnSlices) {
  NodeRoutes routes(test::both_families());
  routes.change_service({}, test::service("s/web ip=10.0.0.1 ip=fd00::1 port=p:80"));
  routes.change_slice({}, test::slice("s/web/six v6 port=p:80 fd00:1::1"));
  const auto changes = routes.update();
  EXPECT_EQ(frontends(changes.at(0).changes), "+10.0.0.1:80/TCP");
  EXPECT_EQ(frontends(changes.at(1).changes), "+[fd00::1]:80/TCP");
  EXPECT_FALSE(changes.at(0).changes.ports.at(0).after->has_any);
  EXPECT_TRUE(changes.at(1).changes.ports.at(0).after->has_any);
}

TEST(NodeRoutes, GiveAnAddressThatTwoClaimToTheLesserName) {
  Routes routes;
  const char* const kLater = "s/b ip=10.0.0.2 port=p:80 external=1.2.3.4";
  const char* const kFirst = "s/a ip=10.0.0.1 port=p:80 external=1.2.3.4";
  const auto holder = [&] {
    return to_text(
        routes.table().in_force({.address = *IpAddress::parse("1.2.3.4"), .port = 80})->port);
  };
  routes.service("", kLater);
  routes.update();
  EXPECT_EQ(holder(), "s/b:p/TCP");
  routes.service("", kFirst);
  EXPECT_EQ(frontends(routes.update()), "~1.2.3.4:80/TCP +10.0.0.1:80/TCP");
  EXPECT_EQ(holder(), "s/a:p/TCP");
  routes.service(kFirst, "");
  EXPECT_EQ(frontends(routes.update()), "~1.2.3.4:80/TCP -10.0.0.1:80/TCP");
  EXPECT_EQ(holder(), "s/b:p/TCP");
}

TEST(NodeRoutes, PlanAllAnewWhenTheNodeMoves) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.slice("", "s/web port=p:80 10.1.0.1+a 10.1.0.2+b");
  routes.update();
  routes.routes().set_node(node("a"));
  EXPECT_FALSE(routes.routes().has_pending());
  routes.routes().set_node(node("b"));
  const RouteChanges changes = routes.update();
  EXPECT_EQ(ports(changes), "~s/web:p/TCP");
  EXPECT_EQ(changes.ports.at(0).after->cluster.at(0).at.address.text(), "10.1.0.2");
}

// SSH and the health port of the node, asked for by a Service that names the node's address.
TEST(NodeRoutes, LeaveThePortsOfTheNodeToTheNode) {
  Routes routes;
  RoutingRules rules;
  rules.own_addresses = {*IpAddress::parse("192.168.0.2")};
  routes.routes().set_rules(rules);
  const std::string claim = "s/web ip=10.0.0.1 port=p:22 port=q:10256 external=192.168.0.2";
  routes.service("", claim + " external=5.6.7.8");
  routes.slice("", "s/web port=p:22 port=q:10256 10.1.0.1");
  RouteChanges changes = routes.update();
  EXPECT_EQ(frontends(changes),
            "+5.6.7.8:22/TCP +5.6.7.8:10256/TCP +10.0.0.1:22/TCP +10.0.0.1:10256/TCP");
  ASSERT_EQ(changes.ports.size(), 2U);
  EXPECT_EQ(changes.ports[0].after->port.refused_ips, rules.own_addresses);
}

TEST(NodeRoutes, FollowTheAddressesOfTheNodeAsTheyComeAndGo) {
  Routes routes;
  routes.service("", "s/web ip=10.0.0.1 port=p:22 external=192.168.0.2");
  routes.service("", "s/other ip=10.0.0.2 port=p:80");
  routes.slice("", "s/web port=p:22 10.1.0.1");
  EXPECT_EQ(routes.update().frontends.size(), 3U);
  RoutingRules rules;
  rules.own_addresses = {*IpAddress::parse("192.168.0.2")};
  routes.routes().set_rules(rules);
  RouteChanges changes = routes.update();
  EXPECT_EQ(frontends(changes), "-192.168.0.2:22/TCP");
  EXPECT_EQ(ports(changes), "~s/web:p/TCP");
  rules.own_addresses = {*IpAddress::parse("192.168.0.3")};
  routes.routes().set_rules(rules);
  EXPECT_EQ(frontends(routes.update()), "+192.168.0.2:22/TCP");
}

TEST(NodeRoutes, PlanNothingAnewForAnAddressThatNoServiceCanName) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.slice("", kWebSlice);
  routes.update();
  RoutingRules rules;
  rules.own_addresses = {*IpAddress::parse("192.168.0.2")};
  routes.routes().set_rules(rules);
  EXPECT_FALSE(routes.routes().has_pending());
}

TEST(NodeRoutes, ChangeOnlyTheRulesWhenThoseChange) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.slice("", kWebSlice);
  routes.update();
  RoutingRules rules;
  rules.service_ranges = {*IpPrefix::parse("10.0.0.0/24")};
  routes.routes().set_rules(rules);
  RouteChanges changes = routes.update();
  EXPECT_TRUE(changes.rules_changed);
  EXPECT_TRUE(changes.ports.empty());
  EXPECT_TRUE(changes.frontends.empty());
  rules.masquerade_all = true;
  routes.routes().set_rules(rules);
  changes = routes.update();
  EXPECT_EQ(frontends(changes), "~10.0.0.1:80/TCP");
}

TEST(NodeRoutes, SayWhetherUdpIsConcerned) {
  Routes routes;
  routes.service("", kRoutedWeb);
  EXPECT_FALSE(routes.update().concern_udp());
  routes.service("", "s/dns ip=10.0.0.2 port=p:53/UDP");
  EXPECT_TRUE(routes.update().concern_udp());
  routes.service("s/dns ip=10.0.0.2 port=p:53/UDP", "");
  EXPECT_TRUE(routes.update().concern_udp());
}

TEST(NodeRoutes, PassOverWhatItDoesNotKnow) {
  Routes routes;
  routes.service(kRoutedWeb, "");
  routes.slice(kWebSlice, "");
  routes.routes().change_service({}, {});
  routes.routes().change_slice({}, {});
  EXPECT_TRUE(routes.update().empty());
  EXPECT_EQ(routes.table().ports.size(), 0U);
}

// Services and slices at random, so that names, addresses and families meet.
struct RandomWorld {
  explicit RandomWorld(std::uint64_t seed) : random(seed) {}
  SplitMix random;
  std::string zone = "a";
  bool masquerade_all = false;
  std::map<std::string, std::string> services;  // as text, by name
  std::map<std::string, std::string> slices;

  std::string number(std::uint64_t bound) { return std::to_string(random.below(bound)); }

  std::string random_service(const std::string& name) {
    std::string text = name + " ip=10.0.0." + number(4) + " port=p:80>3000" + number(3);
    if (random.below(2) == 0) text += " port=q:53/UDP";
    if (random.below(3) == 0) text += " external=1.2.3." + number(2);
    if (random.below(3) == 0) text += " LoadBalancer vip=1.2.3." + number(2) + " range=9.0.0.0/8";
    if (random.below(3) == 0) text += " eLocal";
    if (random.below(4) == 0) text += " iLocal";
    if (random.below(8) == 0) text += " headless";
    if (random.below(4) == 0) text += " keys=topology.kubernetes.io/zone";
    return text;
  }
  std::string random_slice(const std::string& name) {
    static constexpr const char* kStates[] = {"", "", "", "!", "~"};
    std::string text = name + " port=p:80 port=q:53/UDP version=" + number(100);
    if (random.below(3) == 0) text += " annotation=proxima.io/zone-split:a=a:900,b:100";
    for (std::uint64_t left = random.below(4); left > 0; --left)
      text += " 10.1.0." + number(5) + "@n" + number(3) + "%" + (random.below(2) == 0 ? "a" : "b") +
              "+" + (random.below(2) == 0 ? "a" : "b") + kStates[random.below(5)];
    return text;
  }
  NodeView view() const {
    NodeView here = node(zone);
    here.labels =
        kube::LabelSetRef(new kube::LabelSet({{Text("topology.kubernetes.io/zone"), Text(zone)}}));
    return here;
  }
  std::vector<RoutingRules> rules() const {
    std::vector<RoutingRules> both = test::both_families().rules;
    for (RoutingRules& one : both) one.masquerade_all = masquerade_all;
    return both;
  }
  // The node moves, or its configuration changes.
  void shake(NodeRoutes& routes) {
    if (random.below(10) == 0) zone = zone == "a" ? "b" : "a";
    if (random.below(10) == 0) masquerade_all = !masquerade_all;
    routes.set_node(view());
    for (const RoutingRules& one : rules()) routes.set_rules(one);
  }
  void step(NodeRoutes& routes) {
    const std::string name = "s/w" + number(4);
    if (random.below(2) == 0) {
      std::string& text = services[name];
      const std::string before = text;
      text = random.below(4) == 0 ? "" : random_service(name);
      routes.change_service(before.empty() ? ServiceRef() : test::service(before),
                            text.empty() ? ServiceRef() : test::service(text));
    } else {
      const std::string slice = name + "/" + number(2);
      std::string& text = slices[slice];
      const std::string before = text;
      text = random.below(4) == 0 ? "" : random_slice(slice);
      routes.change_slice(before.empty() ? SliceRef() : test::slice(before),
                          text.empty() ? SliceRef() : test::slice(text));
    }
  }
  RouteTable from_scratch() const {
    NodeRoutes fresh({.proxy_name = "", .rules = rules()});
    fresh.set_node(view());
    for (const auto& [name, text] : slices)
      if (!text.empty()) fresh.change_slice({}, test::slice(text));
    for (const auto& [name, text] : services)
      if (!text.empty()) fresh.change_service({}, test::service(text));
    fresh.update();
    return *fresh.table(kIpv4);
  }
};

TEST(NodeRoutes, AreWhateverTheWayTheSameAsFromScratch) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomWorld world(seed);
    NodeRoutes routes(test::both_families());
    for (int round = 0; round < 40; ++round) {
      const RouteTable before = *routes.table(kIpv4);
      world.shake(routes);
      for (std::uint64_t steps = world.random.below(4); steps > 0; --steps) world.step(routes);
      const RouteChanges told = routes.update().at(0).changes;
      const RouteTable& after = *routes.table(kIpv4);
      const RouteChanges whole = diff_routes(before, after);
      ASSERT_EQ(ports(told), ports(whole)) << "seed " << seed << " round " << round;
      ASSERT_EQ(frontends(told), frontends(whole)) << "seed " << seed << " round " << round;
      ASSERT_EQ(told.new_cluster_ips, whole.new_cluster_ips);
      ASSERT_EQ(told.old_cluster_ips, whole.old_cluster_ips);
      ASSERT_TRUE(after == world.from_scratch()) << "seed " << seed << " round " << round;
    }
  }
}

// As an API server stores it, in a few hundred kB.
ServiceRef service_with(int ports, int addresses) {
  std::string json = R"({"metadata":{"name":"many","namespace":"t"},"spec":{"ports":[)";
  for (int i = 1; i <= ports; ++i)
    json += (i == 1 ? "" : ",") + std::string("{\"name\":\"p") + std::to_string(i) +
            "\",\"port\":" + std::to_string(i) + "}";
  json += R"(],"externalIPs":[)";
  for (int i = 0; i < addresses; ++i)
    json += (i == 0 ? "" : ",") + std::string("\"20.0.") + std::to_string(i / 250) + "." +
            std::to_string(i % 250) + "\"";
  json += R"(],"clusterIP":"10.0.0.9"}})";
  json.reserve(json.size() + wire::kScanPadding);
  return kube::RecordReader<kube::ServiceRecord>("Service", {}).object(json).record;
}

TEST(NodeRoutes, OfOneServiceAreOnlySoManyHoweverLongItsLists) {
  Routes routes;
  routes.service("", kRoutedWeb);
  routes.slice("", kWebSlice);
  routes.routes().change_service({}, service_with(10'000, 10'000));
  routes.update();
  EXPECT_EQ(routes.action("10.0.0.1", 80), Action::Cluster) << "others are routed";
  EXPECT_EQ(routes.table().ports.size(), 1U + 1'000);
  const std::size_t addresses = 10;  // 10,000 routes, of 1,000 ports
  EXPECT_EQ(routes.table().frontends.size(), 1U + 1'000 * (1 + addresses));
}

TEST(NodeRoutes, ShareTheListsOfAServiceBetweenItsPorts) {
  Routes routes;
  RoutingRules rules;
  rules.own_addresses = {*IpAddress::parse("192.168.0.2")};
  routes.routes().set_rules(rules);
  routes.service("",
                 "s/web LoadBalancer ip=10.0.0.1 port=p:80 port=q:81 external=1.2.3.4 vip=5.6.7.8 "
                 "external=192.168.0.2 range=9.0.0.0/8");
  routes.update();
  const auto ports = routes.table().ports_of(Text("s"), Text("web"));
  ASSERT_EQ(ports.size(), 2U);
  const ServicePort& one = ports[0]->port;
  const ServicePort& other = ports[1]->port;
  EXPECT_TRUE(one.external_ips.shares_with(other.external_ips));
  EXPECT_TRUE(one.refused_ips.shares_with(other.refused_ips));
  EXPECT_TRUE(one.load_balancer_ips.shares_with(other.load_balancer_ips));
  EXPECT_TRUE(one.source_ranges.shares_with(other.source_ranges));
  EXPECT_TRUE(ports[0]->allowed_sources.shares_with(ports[1]->allowed_sources));
  EXPECT_EQ(one.external_ips.size() + one.refused_ips.size() + one.load_balancer_ips.size() +
                one.source_ranges.size() + ports[0]->allowed_sources.size(),
            5U);
}

TEST(NodeRoutes, KeepNothingOfWhatIsGone) {
  RandomWorld world(7);
  NodeRoutes routes(test::both_families());
  for (int i = 0; i < 200; ++i) world.step(routes);
  routes.update();
  for (const auto& [name, text] : world.services)
    if (!text.empty()) routes.change_service(test::service(text), {});
  for (const auto& [name, text] : world.slices)
    if (!text.empty()) routes.change_slice(test::slice(text), {});
  routes.update();
  EXPECT_EQ(routes.table(kIpv4)->ports.size(), 0U);
  EXPECT_EQ(routes.table(kIpv4)->frontends.size(), 0U);
  EXPECT_EQ(routes.known_services(), 0U);
}

}  // namespace
}  // namespace proxima::proxy
