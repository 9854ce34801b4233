// SPDX-License-Identifier: Apache-2.0
#include "core/route/service_router.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/model/labels.h"

namespace proxima::route {
namespace {

using policy::Reason;

constexpr std::uint32_t kA = 0, kB = 1, kC = 2;

// Endpoints in a few words: "a1 b2! c3~" stand in zones a to c on nodes 1 to 9 ("-": no zone, "0":
// no node); '!' not ready, '~' still serving while it ends, '?' ready is not said, then options:
// ">a" a zone hint, "@1" a node hint, "*8" a weight, "k500" what its node keeps, "i700" its inflow.
class Published {
 public:
  explicit Published(std::string_view text) {
    hints_.reserve(64);
    while (!text.empty()) {
      const auto end = std::min(text.find(' '), text.size());
      add(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    service.endpoints = endpoints_;
  }
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  Published& split(std::uint32_t from, std::vector<SplitShare> to) {
    shares_.push_back(std::move(to));
    rows_.push_back({from, shares_.back()});
    service.has_split = true;
    service.split = rows_;
    return *this;
  }

  NodeRoute from(RoutingNode node) const {
    node.labels_known = true;
    if (!node.label) node.label = [](std::string_view) { return kUnknown; };
    return ServiceRouter(service).from(node);
  }

  PublishedService service;

 private:
  static std::uint32_t zone(char c) {
    return c == '-' ? kUnknown : static_cast<std::uint32_t>(c - 'a');
  }
  static std::uint32_t node(char c) {
    return c == '0' ? kUnknown : static_cast<std::uint32_t>(c - '0');
  }
  void add(std::string_view word) {
    PublishedEndpoint one;
    one.ready = one.serving = true;
    one.zone = zone(word[0]);
    one.node = node(word[1]);
    bool has_inflow = false;
    for (std::size_t at = 2; at < word.size(); ++at) {
      const double number = std::atof(std::string(word.substr(at + 1)).c_str());
      switch (word[at]) {
        case '!':
          one.ready = one.serving = false;
          break;
        case '~':
          one.ready = false;
          one.terminating = true;
          break;
        case '>':
          one.zone_hints = hint(zone(word[++at]));
          break;
        case '@':
          one.node_hints = hint(node(word[++at]));
          break;
        case '*':
          one.weight = number;
          break;
        case 'k':
          one.kept_on_node = number / 1000;
          break;
        case 'i':
          one.inflow = number / 1000;
          has_inflow = true;
          break;
        default:
          break;
      }
    }
    if (!has_inflow) one.inflow = one.weight;
    endpoints_.push_back(one);
  }
  std::span<const std::uint32_t> hint(std::uint32_t value) {
    hints_.push_back(value);
    return {&hints_.back(), 1};
  }

  std::vector<PublishedEndpoint> endpoints_;
  std::vector<std::uint32_t> hints_;
  std::vector<std::vector<SplitShare>> shares_ = reserved();
  std::vector<SplitRow> rows_;
  static std::vector<std::vector<SplitShare>> reserved() {
    std::vector<std::vector<SplitShare>> out;
    out.reserve(8);
    return out;
  }
};

// "0:500 2:500": thousandths by endpoint.
std::string shown(const Route& route) {
  std::string out;
  for (const Pick& pick : route.picks)
    out += (out.empty() ? "" : " ") + std::to_string(pick.endpoint) + ":" +
           std::to_string(std::lround(pick.share * 1000));
  return out;
}

RoutingNode at(std::uint32_t zone, std::uint32_t node) {
  return {.node = node, .zone = zone, .labels_known = true, .label = nullptr};
}

struct RouterRow {
  const char* name;
  const char* endpoints;
  RoutingNode node;
  const char* picks;
  Reason why;
};

void check(const std::vector<RouterRow>& rows) {
  for (const RouterRow& row : rows) {
    const NodeRoute route = Published(row.endpoints).from(row.node);
    EXPECT_EQ(shown(*route.cluster), row.picks) << row.name;
    EXPECT_EQ(route.cluster->notes.front().reason, row.why) << row.name;
  }
}

TEST(ServiceRouter, FollowsHintsAsKubeProxyDoes) {
  check({
      {"the own zone's", "a1>a b2>b", at(kA, 9), "0:1000", Reason::UsesZoneHints},
      {"the own node's first", "a1>a@1 a2>a@2", at(kA, 2), "1:1000", Reason::UsesNodeHints},
      {"one without a hint switches them off", "a1>a b2", at(kA, 9), "0:500 1:500",
       Reason::HintsIncomplete},
      {"those that end serve when nobody is ready", "a1~ b2! c3~", at(kA, 9), "0:500 2:500",
       Reason::TerminatingFallback},
      {"nobody", "a1! b2!", at(kA, 9), "", Reason::NoEndpoints},
      {"weights count among the own zone's", "a1>a*3 a2>a b3>b", at(kA, 9), "0:750 1:250",
       Reason::UsesZoneHints},
      {"and among the own node's", "a1>a@1*3 a1>a@1 b3>b@3", at(kA, 1), "0:750 1:250",
       Reason::UsesNodeHints},
      {"weights count where all are used", "a1*3 b2", at(kA, 9), "0:750 1:250",
       Reason::ClusterWide},
  });
}

TEST(ServiceRouter, DividesByTheRowOfItsZone) {
  Published world("a1 a2 b3 c4!");
  world.split(kA, {{kA, 0.8}, {kB, 0.2}}).split(kB, {{kC, 1}}).split(kC, {});
  EXPECT_EQ(shown(*world.from(at(kA, 9)).cluster), "0:400 1:400 2:200");
  EXPECT_EQ(world.from(at(kA, 9)).cluster->notes.front().reason, Reason::UsesSplit);
  EXPECT_NEAR(world.from(at(kA, 9)).cluster->notes.front().share, 0.8, 1e-9);
  // All of it to a zone that has lost its endpoints.
  EXPECT_EQ(shown(*world.from(at(kB, 9)).cluster), "0:333 1:333 2:333");
  EXPECT_EQ(world.from(at(kB, 9)).cluster->notes.front().reason, Reason::SplitOutOfDate);
  // A row without shares rejects.
  EXPECT_EQ(shown(*world.from(at(kC, 9)).cluster), "");
  // Nobody planned for nodes without a zone.
  EXPECT_EQ(shown(*world.from(at(kUnknown, 9)).cluster), "0:333 1:333 2:333");
  EXPECT_EQ(world.from(at(kUnknown, 9)).cluster->notes.front().reason, Reason::NoSplitForZone);
}

TEST(ServiceRouter, DividesAZonesPartByWeight) {
  Published world("a1*8 a2 a3 b4");
  world.split(kA, {{kA, 0.5}, {kB, 0.5}});
  EXPECT_EQ(shown(*world.from(at(kA, 9)).cluster), "0:400 1:50 2:50 3:500");
}

TEST(ServiceRouter, KeepsOnTheNodeWhatThePlanLeavesThere) {
  Published world("a1k600i250 a2k1000i750 b3");
  world.split(kA, {{kA, 0.5}, {kB, 0.5}});
  // 600 stay; of the other 400 half goes to the zone, by inflow.
  EXPECT_EQ(shown(*world.from(at(kA, 1)).cluster), "0:650 1:150 2:200");
  EXPECT_EQ(world.from(at(kA, 1)).cluster->notes.front().reason, Reason::BalancedNodeFirst);
  EXPECT_EQ(shown(*world.from(at(kA, 2)).cluster), "1:1000");
  EXPECT_EQ(shown(*world.from(at(kA, 9)).cluster), "0:125 1:375 2:500");
}

TEST(ServiceRouter, RejectsWhatWouldLeaveARequiredZone) {
  const auto require = [](Published& world) -> Published& {
    world.service.requires_zone = true;
    return world;
  };
  const auto expect = [](const Published& world, const RoutingNode& node, const char* picks,
                         Reason why) {
    const NodeRoute route = world.from(node);
    EXPECT_EQ(shown(*route.cluster), picks);
    EXPECT_EQ(route.cluster->notes.front().reason, why);
    EXPECT_TRUE(route.has_any);
  };
  Published plain("a1>a@1 a2>a@2 b3>b@3 c4!");
  expect(require(plain), at(kA, 1), "0:500 1:500", Reason::SameZone);
  expect(plain, at(kB, 9), "2:1000", Reason::SameZone);
  expect(plain, at(kC, 4), "", Reason::RequiredZoneRejects);
  expect(plain, at(kUnknown, 9), "", Reason::RequiredZoneUnknown);
  // Endpoints without a zone are in nobody's zone.
  Published unplaced("-1 b2");
  expect(require(unplaced), at(kUnknown, 9), "", Reason::RequiredZoneUnknown);
  Published weighted("a1*3 a2 b3");
  expect(require(weighted), at(kA, 9), "0:750 1:250", Reason::SameZone);
  // Nobody is ready anywhere: what still serves in the zone does.
  Published ending("a1~ b2~ c3!");
  expect(require(ending), at(kA, 9), "0:1000", Reason::SameZone);
  expect(ending, at(kC, 9), "", Reason::RequiredZoneRejects);
}

TEST(ServiceRouter, LeavesARequiredZoneWhereTheSlicesSaySo) {
  Published world("a1 a2 b3 c4!");
  world.split(kC, {{kA, 0.5}, {kB, 0.5}}).split(kB, {{kC, 1}});
  world.service.requires_zone = true;
  // A split of another policy that has not been taken away yet.
  EXPECT_EQ(shown(*world.from(at(kC, 9)).cluster), "");
  world.service.split_is_failover = true;
  const NodeRoute away = world.from({.node = 9, .zone = kC, .zone_name = "c", .label = nullptr});
  EXPECT_EQ(shown(*away.cluster), "0:250 1:250 2:500");
  EXPECT_EQ(policy::sentence(away.cluster->notes.front()),
            "zone c has too few ready endpoints and uses other zones: 0% of its traffic stays in "
            "the zone");
  // The zone that it goes to has lost its endpoints: back to its own.
  EXPECT_EQ(shown(*world.from(at(kB, 9)).cluster), "2:1000");
}

TEST(ServiceRouter, UsesAllEndpointsWherePanicIsPublished) {
  Published world("a1 b2! c3~");
  world.service.ignores_health = true;
  EXPECT_EQ(shown(*world.from(at(kA, 1)).cluster), "0:500 1:500");
  EXPECT_EQ(world.from(at(kA, 1)).cluster->notes.front().reason, Reason::ZoneAwarePanicUsesAll);
  EXPECT_EQ(world.from(at(kA, 1)).cluster->notes.front().share, 1.0 / 3);
}

TEST(ServiceRouter, UsesUnreadyEndpointsInPanicWhereNoneIsReady) {
  Published world("a1! b2!");
  world.service.ignores_health = true;
  EXPECT_EQ(shown(*world.from(at(kA, 1)).cluster), "0:500 1:500");
  EXPECT_TRUE(world.from(at(kA, 1)).has_any);
}

TEST(ServiceRouter, FollowsKeysByWhatIsPublishedOrTrueOfTheOwnNode) {
  const std::map<std::size_t, std::uint32_t> racks = {{0, 7}, {1, 8}};
  Published world("a1 b2 c3 a4");
  const std::string_view keys[] = {"rack"};
  world.service.follows_keys = true;
  world.service.keys = keys;
  world.service.endpoint_label = [&](std::size_t endpoint,
                                     std::string_view) -> std::optional<std::uint32_t> {
    const auto found = racks.find(endpoint);
    return found == racks.end() ? std::nullopt : std::optional(found->second);
  };
  const auto with_label = [](std::uint32_t zone, std::uint32_t node, std::uint32_t value) {
    return RoutingNode{
        .node = node, .zone = zone, .labels_known = true, .label = [value](std::string_view) {
          return value;
        }};
  };
  EXPECT_EQ(shown(*world.from(with_label(kB, 9, 7)).cluster), "0:1000");
  // Nothing is published about the endpoint on node 3, whose own label says it.
  EXPECT_EQ(shown(*world.from(with_label(kC, 3, 7)).cluster), "0:500 2:500");
  EXPECT_EQ(shown(*world.from(with_label(kC, 9, 9)).cluster), "");
  EXPECT_EQ(world.from(with_label(kC, 9, 9)).cluster->notes.front().reason,
            Reason::NoTopologyKeyMatched);
  const std::string_view regions[] = {model::kRegionLabel};
  world.service.keys = regions;
  // The region of its zone is that of the node.
  EXPECT_EQ(shown(*world.from(with_label(kA, 9, 5)).cluster), "3:1000");
}

TEST(ServiceRouter, AnswersTheSameWithAnIndex) {
  for (const char* endpoints : {"a1@1 a2@2 b3@3", "a1 a2! b3", "a1@2 b2@1"}) {
    for (const bool local : {false, true}) {
      Published world(endpoints);
      world.service.internal_policy_local = local;
      ServiceRouter indexed(world.service);
      indexed.index_nodes();
      for (std::uint32_t node = 1; node < 5; ++node) {
        const NodeRoute slow = world.from(at(kA, node));
        const NodeRoute fast = indexed.from(at(kA, node));
        EXPECT_EQ(shown(fast.internal(local)), shown(slow.internal(local))) << endpoints << node;
        EXPECT_EQ(fast.internal(local).notes.front().reason,
                  slow.internal(local).notes.front().reason);
      }
    }
  }
}

}  // namespace
}  // namespace proxima::route
