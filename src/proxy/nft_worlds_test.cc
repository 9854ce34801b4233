// SPDX-License-Identifier: Apache-2.0
// Random worlds with random changes: what was written step by step does to every packet what the
// routes say, is what a fresh process would believe, and is taken over without a write.
#include <gtest/gtest.h>

#include <map>

#include "base/split_mix.h"
#include "support/nft_fate.h"
#include "support/route_world.h"

#include "proxy/node_routes.h"

namespace proxima::proxy {
namespace {

using dataplane::NftTable;
using test::ServiceRef;
using test::SliceRef;

class World {
 public:
  World(std::uint64_t seed, IpFamily family)
      : random_(seed),
        family_(family),
        routes_(NodeRoutesOptions{.proxy_name = "", .rules = {rules()}}) {
    routes_.set_node({.name = Text("n1"), .zone = Text("a")});
  }

  // Some changes, and what they come to.
  RouteChanges step() {
    if (random_.below(8) == 0) routes_.set_rules(rules());
    for (std::uint64_t steps = random_.below(4); steps > 0; --steps) change_something();
    return routes_.update().at(0).changes;
  }
  const RouteTable& table() const { return *routes_.table(family_); }

  std::vector<IpAddress> local() const { return {at("node", 0), at("node", 1), loopback()}; }
  IpAddress at(std::string_view kind, std::uint64_t number) const {
    return *IpAddress::parse(text(kind, number));
  }

  std::vector<Packet> packets() const {
    static constexpr std::uint16_t kPorts[] = {80, 53, 30000, 30001, 81};
    std::vector<Packet> packets;
    const IpAddress sources[] = {at("pod", 0), at("pod", 77), at("node", 0), at("outside", 1),
                                 at("vip", 0)};
    const IpAddress destinations[] = {at("service", 0), at("service", 1), at("service", 9),
                                      at("vip", 0),     at("vip", 1),     at("node", 0),
                                      at("node", 1)};
    for (const IpAddress& source : sources) {
      for (const IpAddress& destination : destinations) {
        for (const std::uint16_t port : kPorts)
          packets.push_back({.source = source,
                             .destination = destination,
                             .protocol = port == 53 ? kube::Protocol::Udp : kube::Protocol::Tcp,
                             .port = port});
      }
    }
    return packets;
  }
  SplitMix& random() { return random_; }

 private:
  IpAddress loopback() const {
    return *IpAddress::parse(family_ == IpFamily::V4 ? "127.0.0.1" : "::1");
  }
  std::string text(std::string_view kind, std::uint64_t number) const {
    static const std::map<std::string_view, std::pair<std::string, std::string>> kPrefixes = {
        {"service", {"10.96.0.", "fd00:96::"}},
        {"pod", {"10.1.0.", "fd00:1::"}},
        {"node", {"192.168.0.", "fd00:168::"}},
        {"vip", {"1.2.3.", "2001:db8:2::"}},
        {"outside", {"9.0.0.", "2001:db8:9::"}}};
    const auto& [v4, v6] = kPrefixes.at(kind);
    return (family_ == IpFamily::V4 ? v4 : v6) + std::to_string(number);
  }
  std::string any(std::string_view kind, std::uint64_t bound) {
    return text(kind, random_.below(bound));
  }
  bool one_in(std::uint64_t times) { return random_.below(times) == 0; }
  std::string range(const char* v4, const char* v6) const {
    return family_ == IpFamily::V4 ? v4 : v6;
  }

  RoutingRules rules() {
    RoutingRules rules;
    rules.family = family_;
    if (!one_in(4))
      rules.detector =
          LocalDetector{.range = *IpPrefix::parse(range("10.1.0.0/16", "fd00:1::/64"))};
    rules.masquerade_all = one_in(4);
    if (one_in(3)) rules.node_ports = {.restricted = true, .addresses = {at("node", 1)}};
    if (!one_in(3))
      rules.service_ranges = {*IpPrefix::parse(range("10.96.0.0/16", "fd00:96::/112"))};
    rules.node_address = at("node", 0);
    return rules;
  }

  std::string random_service(const std::string& name) {
    std::string words =
        name + " ip=" + any("service", 3) + " port=p:80>3000" + std::to_string(random_.below(2));
    if (one_in(2)) words += " port=q:53/UDP";
    if (one_in(3)) words += " external=" + any("vip", 2);
    if (one_in(3)) {
      words += " LoadBalancer vip=" + any("vip", 2);
      if (one_in(2)) words += " range=" + range("9.0.0.0/8", "2001:db8:9::/64");
      if (one_in(2)) words += " range=" + range("9.0.0.0/24", "2001:db8:9::/120");
      if (one_in(2)) words += " range=" + range("192.168.0.0/24", "fd00:168::/64");
    }
    if (one_in(3)) words += " eLocal";
    if (one_in(4)) words += " iLocal";
    if (one_in(3)) words += " affinity=" + std::string(one_in(2) ? "600" : "10800");
    if (one_in(6)) words += " keys=topology.kubernetes.io/zone";
    return words;
  }
  std::string random_slice(const std::string& name) {
    static constexpr const char* kStates[] = {"", "", "", "!", "~"};
    std::string words =
        name + " port=p:80 port=q:53/UDP version=" + std::to_string(random_.below(99));
    if (family_ == IpFamily::V6) words += " v6";
    if (one_in(3)) words += " annotation=proxima.io/zone-split:a=a:900,b:100";
    for (std::uint64_t left = random_.below(9); left > 0; --left)
      words += " " + any("pod", 12) + "@n" + std::to_string(random_.below(3)) + "%" +
               (one_in(2) ? "a" : "b") + kStates[random_.below(5)];
    return words;
  }
  void change_something() {
    const std::string name = "s/w" + std::to_string(random_.below(4));
    if (one_in(2)) {
      std::string& words = services_[name];
      const ServiceRef before = words.empty() ? ServiceRef() : test::service(words);
      words = one_in(4) ? "" : random_service(name);
      routes_.change_service(before, words.empty() ? ServiceRef() : test::service(words));
    } else {
      std::string& words = slices_[name];
      const SliceRef before = words.empty() ? SliceRef() : test::slice(words);
      words = one_in(4) ? "" : random_slice(name);
      routes_.change_slice(before, words.empty() ? SliceRef() : test::slice(words));
    }
  }

  SplitMix random_;
  IpFamily family_;
  NodeRoutes routes_;
  std::map<std::string, std::string> services_;
  std::map<std::string, std::string> slices_;
};

// What rules say to a client they may know is among what routes say.
std::string beyond_routes(const std::vector<dataplane::NftOutcome>& outcomes,
                          const RouteTable& routes, const World& world, const Packet& packet) {
  const PacketFate fate = trace(routes, world.local(), packet);
  const test::Shares allowed = test::shares_of(fate);
  for (const auto& outcome : outcomes) {
    const std::string text = test::to_text(outcome);
    const bool known = std::any_of(allowed.begin(), allowed.end(),
                                   [&](const auto& share) { return share.first == text; });
    if (!known) return text + " instead of " + test::to_text(allowed);
  }
  return "";
}

// One client comes again and again, to every service, and is remembered.
void expect_known_client_is_served(NftTable& rules, World& world, const std::string& when) {
  for (Packet packet : world.packets()) {
    packet.source = world.at("outside", 200);
    const auto outcomes = dataplane::nft_trace(rules, test::nft_packet(packet, world.local()));
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    ASSERT_EQ(beyond_routes(*outcomes, world.table(), world, packet), "") << when;
    const auto& seen = (*outcomes)[world.random().below(outcomes->size())];
    dataplane::remember(rules, seen);
    if (seen.learned.empty()) continue;
    const auto again = dataplane::nft_trace(rules, test::nft_packet(packet, world.local()));
    ASSERT_EQ(again->size(), 1U) << when;
    ASSERT_EQ(test::to_text(again->front()), test::to_text(seen)) << when;
  }
}

void expect_adopted_without_a_write(const NftTable& rules, const RouteTable& routes,
                                    const std::string& when) {
  const auto content = rules.content();
  ASSERT_EQ(recognise(content, {}), NftFound::Ours);
  NftRenderer successor(routes.rules.family, {});
  successor.start(routes, recall(content, routes));
  const NftDifference difference = diff_nft_table(successor, content);
  ASSERT_EQ(difference.count, 0U) << when;
  ASSERT_TRUE(difference.transaction.empty()) << when;
}

void run_world(std::uint64_t seed, IpFamily family) {
  World world(seed, family);
  NftRenderer renderer(family, {});
  renderer.start(world.table(), {});
  NftTable rules(family);
  ASSERT_TRUE(test::load(renderer, rules));
  for (int round = 0; round < 25; ++round) {
    const std::string when = "seed " + std::to_string(seed) + " round " + std::to_string(round);
    const auto transaction = renderer.change(world.table(), world.step());
    const Status applied = rules.apply(transaction);
    ASSERT_TRUE(applied.has_value()) << when << ": " << (applied ? "" : applied.error().message);
    ASSERT_EQ(diff_nft_table(renderer, rules.content()).count, 0U) << when;
    for (const Packet& packet : world.packets())
      ASSERT_EQ(test::difference(rules, world.table(), world.local(), packet), "")
          << when << ": " << packet.source.text() << " to " << packet.destination.text() << ":"
          << packet.port;
    expect_known_client_is_served(rules, world, when);
    expect_adopted_without_a_write(rules, world.table(), when);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(NftWorlds, DoWhatTheRoutesSayAfterEveryChange) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    run_world(seed, seed % 3 == 0 ? IpFamily::V6 : IpFamily::V4);
    if (HasFatalFailure()) return;
  }
}

// Whatever is in the kernel, after adoption it is what the routes say.
TEST(NftWorlds, AreRightAfterAnyOtherWorldWasAdopted) {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    World before(seed, IpFamily::V4);
    World after(seed + 1000, IpFamily::V4);
    for (int round = 0; round < 8; ++round) before.step(), after.step();
    NftRenderer renderer(IpFamily::V4, {});
    renderer.start(before.table(), {});
    NftTable rules(IpFamily::V4);
    ASSERT_TRUE(test::load(renderer, rules));
    NftRenderer successor(IpFamily::V4, {});
    successor.start(after.table(), recall(rules.content(), after.table()));
    const Status applied = rules.apply(diff_nft_table(successor, rules.content()).transaction);
    ASSERT_TRUE(applied.has_value()) << seed << ": " << applied.error().message;
    for (const Packet& packet : after.packets())
      ASSERT_EQ(test::difference(rules, after.table(), after.local(), packet), "") << seed;
    ASSERT_EQ(diff_nft_table(successor, rules.content()).count, 0U) << seed;
  }
}

}  // namespace
}  // namespace proxima::proxy
