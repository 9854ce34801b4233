// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_renderer.h"

#include <gtest/gtest.h>

#include "support/nft_fate.h"
#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using dataplane::NftTable;
using dataplane::NftTransaction;
using test::PacketWorld;

// "slots -1 +1, from-pod +1": what a transaction does to elements, by set; chains as "pick-3!" when
// they are added and "pick-3~" when they are emptied.
std::string in_short(const NftTransaction& transaction) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> sets;
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  for (const auto& operation : transaction.operations) {
    if (const auto* deleted = std::get_if<dataplane::NftDeleteElements>(&operation))
      sets[deleted->set].first += deleted->elements.size();
    if (const auto* added = std::get_if<dataplane::NftAddElements>(&operation))
      sets[added->set].second += added->elements.size();
    if (const auto* chain = std::get_if<dataplane::NftAddChain>(&operation)) add(chain->name + "!");
    if (const auto* chain = std::get_if<dataplane::NftFlushChain>(&operation))
      add(chain->name + "~");
    if (const auto* chain = std::get_if<dataplane::NftDeleteChain>(&operation))
      add(chain->name + " gone");
    if (const auto* made = std::get_if<dataplane::NftAddSet>(&operation))
      add(made->set.name + " new");
    if (const auto* set = std::get_if<dataplane::NftDeleteSet>(&operation))
      add(set->name + " gone");
  }
  for (const auto& [set, counts] : sets) {
    std::string word = set;
    if (counts.first > 0) word += " -" + std::to_string(counts.first);
    if (counts.second > 0) word += " +" + std::to_string(counts.second);
    add(word);
  }
  return text;
}

RouteTable routes(const std::vector<std::string>& words) {
  PacketWorld world(IpFamily::V4);
  for (const std::string& one : words) {
    if (one.find("ip=") != std::string::npos)
      world.add_service(one);
    else
      world.add_slice(one);
  }
  return world.table();
}

std::string change(const RouteTable& before, const RouteTable& after) {
  NftRenderer renderer(IpFamily::V4, {});
  renderer.start(before, {});
  return in_short(renderer.change(after, diff_routes(before, after)));
}

const std::string kRenderedService = "ns/a ip=172.30.0.41 port=p:80";
const std::string kSplit = " annotation=proxima.io/zone-split:a=";

TEST(NftRenderer, WritesAsLittleAsAChangeAllows) {
  const struct {
    const char* name;
    std::vector<std::string> before;
    std::vector<std::string> after;
    const char* written;
  } cases[] = {
      // clang-format off
      {"nothing", {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2"}, ""},
      {"one endpoint replaced", {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2 10.1.0.3"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2 10.1.0.4"}, "slots -1 +1"},
      {"one endpoint more: another size", {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2 10.1.0.3"},
       "pick-3!, from-node -1 +1, from-outside -1 +1, from-pod -1 +1, sizes +1, slots -2 +3"},
      {"a fifth of the weight moves", {kRenderedService, "ns/a port=p:8080 10.1.0.1%a 10.1.0.2%b" + kSplit + "a:800,b:200"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1%a 10.1.0.2%b" + kSplit + "a:600,b:400"}, "slots -1 +1"},
      {"an endpoint of this node comes", {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.3@here"}, "hairpin +1, slots -1 +1"},
      {"a service added", {kRenderedService, "ns/a port=p:8080 10.1.0.1"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1", "ns/b ip=172.30.0.42 port=p:80", "ns/b port=p:8080 10.1.0.2"},
       "cluster-ips +1, from-node +1, from-outside +1, from-pod +1, slots +1"},
      {"a service removed", {kRenderedService, "ns/a port=p:8080 10.1.0.1", "ns/b ip=172.30.0.42 port=p:80", "ns/b port=p:8080 10.1.0.2"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1"},
       "cluster-ips -1, from-node -1, from-outside -1, from-pod -1, slots -1"},
      {"the last endpoint goes", {kRenderedService, "ns/a port=p:8080 10.1.0.1"}, {kRenderedService}, "from-node -1, from-outside -1, from-pod -1, refused +1, slots -1"},
      {"it becomes sticky", {kRenderedService, "ns/a port=p:8080 10.1.0.1"}, {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1"},
       "affinity-1 new, sticky-pick-1!, recall-1!, learn-1!, backends +1, from-node -1 +1, from-outside -1 +1, from-pod -1 +1, learn-clients +1, recall-clients +1, slots -1, sticky-sizes +1, sticky-slots +1"},
      {"it is sticky no longer", {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1"},
       "pick-1!, recall-1~, learn-1~, recall-1 gone, learn-1 gone, affinity-1 gone, backends -1, from-node -1 +1, from-outside -1 +1, from-pod -1 +1, learn-clients -1, recall-clients -1, sizes +1, slots +1, sticky-slots -1"},
      {"another sticky service", {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1"}, {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1", "ns/b ip=172.30.0.42 port=p:80 affinity=60", "ns/b port=p:8080 10.1.0.2"},
       "affinity-2 new, recall-2!, learn-2!, backends +1, cluster-ips +1, from-node +1, from-outside +1, from-pod +1, learn-clients +1, recall-clients +1, sticky-slots +1"},
      {"the last endpoint of a sticky service goes", {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1"}, {kRenderedService + " affinity=600"},
       "recall-1~, learn-1~, recall-1 gone, learn-1 gone, affinity-1 gone, backends -1, from-node -1, from-outside -1, from-pod -1, learn-clients -1, recall-clients -1, refused +1, sticky-slots -1"},
      {"a sticky service has its first endpoint on a node where traffic stays", {kRenderedService + " external=1.2.3.4 eLocal affinity=600", "ns/a port=p:8080 10.1.0.1"}, {kRenderedService + " external=1.2.3.4 eLocal affinity=600", "ns/a port=p:8080 10.1.0.1@here"},
       "affinity-1-local new, recall-1-local!, learn-1-local!, backends +1, from-outside +1, hairpin +1, learn-clients +1, recall-clients +1, refused -1, sticky-slots +1"},
      {"a sticky backend replaced", {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1 10.1.0.2"}, {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1 10.1.0.3"},
       "backends -1 +1, sticky-slots -1 +1"},
      {"another time-out", {kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1"}, {kRenderedService + " affinity=60", "ns/a port=p:8080 10.1.0.1"}, "recall-1~, learn-1~"},
      {"another source range", {kRenderedService + " LoadBalancer vip=1.2.3.4 range=9.0.0.0/8", "ns/a port=p:8080 10.1.0.1"}, {kRenderedService + " LoadBalancer vip=1.2.3.4 range=9.0.0.0/8 range=9.1.0.0/16 range=8.0.0.0/8", "ns/a port=p:8080 10.1.0.1"},
       "allowed-sources +1"},
      {"two services share a backend of this node and one goes", {kRenderedService, "ns/a port=p:8080 10.1.0.1@here", "ns/b ip=172.30.0.42 port=p:80", "ns/b port=p:8080 10.1.0.1@here"}, {kRenderedService, "ns/a port=p:8080 10.1.0.1@here"},
       "cluster-ips -1, from-node -1, from-outside -1, from-pod -1, slots -1"},
      // clang-format on
  };
  for (const auto& c : cases)
    EXPECT_EQ(change(routes(c.before), routes(c.after)), c.written) << c.name;
}

TEST(NftRenderer, RefillsOnlyChainsThatDepend) {
  PacketWorld world(IpFamily::V4);
  const RouteTable before = world.table();
  const auto written = [&](const std::function<void(RoutingRules&)>& edit) {
    PacketWorld other(IpFamily::V4);
    edit(other.rules());
    return change(before, other.table());
  };
  EXPECT_EQ(written([](RoutingRules&) {}), "");
  EXPECT_EQ(written([](RoutingRules& rules) { rules.masquerade_all = true; }), "");
  EXPECT_EQ(written([](RoutingRules& rules) { rules.service_ranges.clear(); }), "not-translated~");
  EXPECT_EQ(written([](RoutingRules& rules) { rules.detector.reset(); }),
            "pick-anew~, refuse~, services~");
  EXPECT_EQ(written([&](RoutingRules& rules) {
              rules.node_ports = {.restricted = true, .addresses = {world.address("node")}};
            }),
            "anew-node~, anew-outside~, anew-pod~, check-node-port~, from-node~, from-outside~, "
            "from-pod~, "
            "node-port-ips +1");
}

TEST(NftRenderer, GivesNumbersInTurn) {
  NftPortIds ids(4);
  EXPECT_EQ(ids.take(), 1U);
  EXPECT_EQ(ids.take(), 2U);
  ids.give_back(1);
  EXPECT_EQ(ids.take(), 3U) << "what was given back rests";
  EXPECT_EQ(ids.take(), 1U);
  EXPECT_EQ(ids.take(), std::nullopt);
  EXPECT_FALSE(ids.claim(0));
  EXPECT_FALSE(ids.claim(2));
  EXPECT_FALSE(ids.claim(4));
}

// ---- Session affinity ----

struct StickyWorld {
  explicit StickyWorld(const RouteTable& first, NftOptions options = {})
      : table(first), renderer(IpFamily::V4, std::move(options)) {
    renderer.start(table, {});
    EXPECT_TRUE(test::load(renderer, rules));
  }
  void go_on(const RouteTable& next) {
    EXPECT_TRUE(rules.apply(renderer.change(next, diff_routes(table, next))).has_value());
    table = next;
  }
  // Where a client may go, at most one when it is known.
  std::vector<dataplane::NftOutcome> send(const char* from, const char* to = "172.30.0.41",
                                          std::uint16_t port = 80) {
    auto outcomes = dataplane::nft_trace(
        rules,
        {.source = *IpAddress::parse(from), .destination = *IpAddress::parse(to), .port = port});
    EXPECT_TRUE(outcomes.has_value());
    dataplane::remember(rules, outcomes->back());
    return *outcomes;
  }

  RouteTable table;
  NftRenderer renderer;
  NftTable rules{IpFamily::V4};
};

RouteTable sticky(std::string_view endpoints, const char* words = "") {
  return routes(
      {kRenderedService + " affinity=600" + words, "ns/a port=p:8080 " + std::string(endpoints)});
}

TEST(NftRenderer, ClientsKeepTheirBackendWhileItIsThere) {
  StickyWorld world(sticky("10.1.0.1 10.1.0.2 10.1.0.3"));
  EXPECT_EQ(world.send("10.180.0.5").size(), 3U);
  const auto known = world.send("10.180.0.5");
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(test::to_text(known.front()), "10.1.0.3:8080");
  EXPECT_EQ(known.front().learned.front().timeout, std::chrono::seconds(600));
  EXPECT_EQ(world.send("10.180.0.6").size(), 3U) << "another client";
  world.go_on(sticky("10.1.0.2 10.1.0.3 10.1.0.4 10.1.0.5"));
  ASSERT_EQ(world.send("10.180.0.5").size(), 1U);
  EXPECT_EQ(test::to_text(world.send("10.180.0.5").front()), "10.1.0.3:8080");
  world.go_on(sticky("10.1.0.2 10.1.0.4 10.1.0.5"));
  EXPECT_EQ(world.send("10.180.0.5").size(), 3U) << "its backend has left";
  EXPECT_EQ(world.send("10.180.0.5").size(), 1U);
}

// The rows are connections, one after the other.
TEST(NftRenderer, AServiceWithTooManyClientsTakesNoPlaceFromOthers) {
  StickyWorld world(
      routes({kRenderedService + " affinity=600", "ns/a port=p:8080 10.1.0.1 10.1.0.2",
              "ns/b ip=172.30.0.42 port=p:80 affinity=600", "ns/b port=p:8080 10.1.0.3 10.1.0.4"}),
      {.affinity_clients = 2});
  const char* const crowded = "172.30.0.41";
  const char* const quiet = "172.30.0.42";
  const struct {
    const char* name;
    const char* from;
    const char* to;
    std::size_t ways;  // to go
  } rows[] = {
      {"the first client", "10.180.0.1", crowded, 2},
      {"the second client, the last that is remembered", "10.180.0.2", crowded, 2},
      {"the third client is served", "10.180.0.3", crowded, 2},
      {"the third client is not remembered", "10.180.0.3", crowded, 2},
      {"the first client is", "10.180.0.1", crowded, 1},
      {"the second client is", "10.180.0.2", crowded, 1},
      {"the third client comes to another service", "10.180.0.3", quiet, 2},
      {"which remembers it", "10.180.0.3", quiet, 1},
  };
  for (const auto& row : rows) EXPECT_EQ(world.send(row.from, row.to).size(), row.ways) << row.name;
}

// A sticky Service of so many ports, from port 1 on, with two endpoints on this node.
RouteTable sticky_ports(int ports, const std::vector<std::string>& others = {}) {
  std::string service = "ns/a NodePort ip=172.30.0.41 external=5.6.7.8 eLocal affinity=600";
  std::string slice = "ns/a";
  for (int i = 1; i <= ports; ++i) {
    service += " port=p" + std::to_string(i) + ":" + std::to_string(i);
    slice += " port=p" + std::to_string(i) + ":" + std::to_string(8000 + i);
  }
  std::vector<std::string> words = {service, slice + " 10.1.0.1@here 10.1.0.2@here"};
  words.insert(words.end(), others.begin(), others.end());
  return routes(words);
}

TEST(NftRenderer, AServiceCannotMultiplyItsClientsByItsPorts) {
  for (const int ports : {1, 2, 16, 17, 100, 1000}) {
    SCOPED_TRACE(ports);
    NftRenderer renderer(IpFamily::V4, {});
    renderer.start(sticky_ports(ports), {});
    int maps = 0;
    std::map<bool, std::uint64_t> clients;  // of the two lists of each port
    for (const dataplane::NftSet& set : renderer.sets()) {
      if (port_of_client_map(set.name) == 0) continue;
      ++maps;
      clients[set.name.find("-local") != std::string::npos] += set.size_limit;
      EXPECT_EQ(set.size_limit, ports <= 16 ? 65'535U : 512U) << set.name;
    }
    EXPECT_EQ(maps, 2 * ports);
    for (const bool local : {false, true}) EXPECT_LE(clients[local], 1U << 20U);
  }
}

TEST(NftRenderer, OnlyAServiceThatGetsTooManyPortsForgetsItsClients) {
  const std::vector<std::string> quiet = {"ns/b ip=172.30.0.42 port=p:80 affinity=600",
                                          "ns/b port=p:8080 10.1.0.3 10.1.0.4"};
  StickyWorld world(sticky_ports(16, quiet));
  world.send("10.180.0.5", "172.30.0.41", 3);
  world.send("10.180.0.5", "172.30.0.42");
  const auto size = [&](const char* map) {
    const auto* set = world.rules.set(map);
    return set == nullptr ? 0 : set->size_limit;
  };
  EXPECT_EQ(size("affinity-3"), 65'535U);
  world.go_on(sticky_ports(17, quiet));
  EXPECT_EQ(size("affinity-3"), 0U) << "it is gone with its clients";
  EXPECT_EQ(size("affinity-3-fewer"), 512U);
  EXPECT_EQ(size("affinity-3-local-fewer"), 512U);
  EXPECT_EQ(world.send("10.180.0.5", "172.30.0.41", 3).size(), 2U);
  EXPECT_EQ(world.send("10.180.0.5", "172.30.0.41", 3).size(), 1U) << "it is known again";
  EXPECT_EQ(world.send("10.180.0.5", "172.30.0.42").size(), 1U) << "another service's client";
  world.go_on(sticky_ports(18, quiet));
  EXPECT_EQ(world.send("10.180.0.5", "172.30.0.41", 3).size(), 1U) << "one port more of many";
  world.go_on(sticky_ports(16, quiet));
  EXPECT_EQ(size("affinity-3"), 65'535U);
  EXPECT_EQ(size("affinity-3-fewer"), 0U);
}

TEST(NftRenderer, ClientsAreForgottenWithTheAffinityOfTheirService) {
  StickyWorld world(sticky("10.1.0.1 10.1.0.2"));
  world.send("10.180.0.5");
  world.go_on(routes({kRenderedService, "ns/a port=p:8080 10.1.0.1 10.1.0.2"}));
  EXPECT_EQ(world.send("10.180.0.5").size(), 2U);
  world.go_on(sticky("10.1.0.1 10.1.0.2"));
  EXPECT_EQ(world.send("10.180.0.5").size(), 2U);
  EXPECT_EQ(world.send("10.180.0.5").size(), 1U);
}

TEST(NftRenderer, AnotherTimeOutKeepsClientsAndHoldsFromTheirNextConnection) {
  StickyWorld world(sticky("10.1.0.1 10.1.0.2"));
  world.send("10.180.0.5");
  world.go_on(routes({kRenderedService + " affinity=60", "ns/a port=p:8080 10.1.0.1 10.1.0.2"}));
  const auto known = world.send("10.180.0.5");
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known.front().learned.front().timeout, std::chrono::seconds(60));
}

TEST(NftRenderer, ClientsOfWhoLeftAreNotGivenToWhoCameNext) {
  StickyWorld world(sticky("10.1.0.1 10.1.0.2"));
  world.send("10.180.0.5");
  world.go_on(sticky("10.1.0.1 10.1.0.9"));
  EXPECT_EQ(world.send("10.180.0.5").size(), 2U);
}

TEST(NftRenderer, AClientKnownElsewhereStaysOnTheNodeWhereItMust) {
  const char* words = " NodePort port=p:80>30080 external=5.6.7.8 eLocal";
  StickyWorld world(sticky("10.1.0.1@here 10.1.0.2@there", words));
  const auto first = world.send("203.0.113.9");
  EXPECT_EQ(test::to_text(first.back()), "10.1.0.2:8080 masqueraded");
  for (int i = 0; i < 2; ++i) {
    const auto outcomes = world.send("203.0.113.9", "5.6.7.8");
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(test::to_text(outcomes.front()), "10.1.0.1:8080");
  }
}

}  // namespace
}  // namespace proxima::proxy
