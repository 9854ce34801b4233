// SPDX-License-Identifier: Apache-2.0
#include "core/policy/select_endpoints.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>

#include <gtest/gtest.h>

#include "support/number_words.h"

namespace proxima::policy {
namespace {

using enum Reason;
using test::places_in_list;

// Endpoints as words. Small letters are zone hints, digits node hints, '-' no hint at all.
// '@' on this node, '!' neither ready nor serving, '~' draining (serving and terminating, not
// ready), '?' serving but neither ready nor terminating. Without a mark: ready.
struct Candidates {
  std::deque<std::vector<std::uint32_t>> hints;  // a deque, so that spans into it stay valid
  std::vector<Candidate> endpoints;

  explicit Candidates(std::string_view text) {
    while (!text.empty()) {
      const auto word = text.substr(0, text.find(' '));
      text.remove_prefix(std::min(text.size(), word.size() + 1));
      endpoints.push_back(endpoint(word));
    }
  }

  Candidate endpoint(std::string_view word) {
    auto& zones = hints.emplace_back();
    auto& nodes = hints.emplace_back();
    for (const char c : word) {
      if (c >= 'a' && c <= 'z') zones.push_back(static_cast<std::uint32_t>(c - 'a'));
      if (c >= '0' && c <= '9') nodes.push_back(static_cast<std::uint32_t>(c - '0'));
    }
    const auto has = [&](char mark) { return word.find(mark) != std::string_view::npos; };
    return {.ready = !has('!') && !has('~') && !has('?'),
            .serving = !has('!'),
            .terminating = has('~'),
            .local = has('@'),
            .zone_hints = zones,
            .node_hints = nodes};
  }
};

// Service: 'i' internal policy Local, 'e' external policy Local, 'x' reachable from outside.
// Here: the node's zone and number; '-' where there is none.
Selection select(std::string_view service, std::string_view here, std::string_view endpoints) {
  const Candidates world(endpoints);
  SelectionInput input;
  input.endpoints = world.endpoints;
  input.internal_policy_local = service.find('i') != std::string_view::npos;
  input.external_policy_local = service.find('e') != std::string_view::npos;
  input.externally_accessible = service.find('x') != std::string_view::npos;
  if (here[0] != '-') input.zone = model::ZoneIndex(static_cast<std::size_t>(here[0] - 'a'));
  if (here[1] != '-') input.node = model::NodeIndex(static_cast<std::size_t>(here[1] - '0'));
  return select_endpoints(input);
}

TEST(SelectEndpoints, UsesWhatHintsAllow) {
  const struct {
    const char* name;
    const char* here;
    const char* given;
    const char* cluster;
    Reason why;
    std::int64_t count;
  } cases[] = {
      // clang-format off
      // name                                    here  given              cluster    why                  count
      {"stays with the endpoints for its zone",  "a-", "a b c a",         "1 4",     UsesZoneHints,       2},
      {"ignores zone hints when one lacks them", "a-", "a b - a",         "1 2 3 4", HintsIncomplete,     1},
      {"falls back when its zone has none",      "b-", "a",               "1",       NoHintForZone,       1},
      {"falls back when it has no zone",         "--", "a",               "1",       NodeZoneUnknown,     1},
      {"does not count endpoints that are down", "a-", "a! b c a!",       "2 3",     NoHintForZone,       2},
      {"lets a down endpoint lack its hint",     "a-", "a b -!",          "1",       UsesZoneHints,       1},
      {"takes endpoints hinted to many zones",   "c-", "abc bc bd c",     "1 2 4",   UsesZoneHints,       3},
      {"prefers its own node",                   "a1", "a1 b2 c3 a4",     "1",       UsesNodeHints,       1},
      {"goes from node to zone",                 "a0", "a1 b2 c3 a4",     "1 4",     UsesZoneHints,       2},
      {"ignores all hints when one has none",    "a1", "a1 b2 - a4",      "1 2 3 4", HintsIncomplete,     1},
      {"judges node hints without zone hints",   "a1", "1 2",             "1",       UsesNodeHints,       1},
      {"judges zone hints without node hints",   "a1", "a1 a b2",         "1 2",     UsesZoneHints,       2},
      {"has no node hint for itself",            "a0", "1 2",             "1 2",     NoHintForNode,       2},
      {"cannot use half the node hints",         "a1", "1 -",             "1 2",     HintsIncomplete,     2},
      {"uses everything without hints",          "a1", "- - -!",          "1 2",     ClusterWide,         2},
      {"falls back to draining ones",            "a1", "a~ b~ -! b?",     "1 2",     TerminatingFallback, 2},
      {"never uses serving ones not ready",      "a1", "a? -!",           "",        NoEndpoints,         0},
      {"has nothing without endpoints",          "a1", "",                "",        NoEndpoints,         0},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Selection got = select("", c.here, c.given);
    EXPECT_EQ(places_in_list(got.cluster), c.cluster);
    EXPECT_EQ(places_in_list(reachable_endpoints(got)), c.cluster);
    EXPECT_EQ(places_in_list(got.local), "");
    EXPECT_EQ(got.has_any, *c.cluster != '\0');
    EXPECT_EQ(text_of(got.why.reason).code, text_of(c.why).code);
    EXPECT_EQ(got.why.count, c.count);
  }
}

TEST(SelectEndpoints, KeepsLocalTrafficOnItsNode) {
  const struct {
    const char* name;
    const char* service;
    const char* given;
    const char* cluster;
    const char* local;
    const char* reachable;
    bool has_any;
    Reason why;
    Reason why_local;
  } cases[] = {
      // The node stands in zone a. Columns: service, given; cluster, local, reachable, has any.
      {"joins what both kinds of traffic use", "ex", "a@ b@ a b", "1 3", "1 2", "1 2 3", true,
       UsesZoneHints, LocalEndpointsOnly},
      {"drops, not rejects, what is only elsewhere", "i", "- -", "", "", "", true,
       InternalTrafficPolicyLocal, NoLocalEndpoint},
      {"falls back to draining ones for outside", "iex", "-~ -~", "1 2", "", "1 2", true,
       TerminatingFallback, NoLocalEndpoint},
      {"falls back for each kind on its own", "ex", "- -@~ -~ -@!", "1", "2", "1 2", true,
       ClusterWide, TerminatingFallback},
      {"prefers local ready over local draining", "i", "-@ -@~ -", "", "1", "1", true,
       InternalTrafficPolicyLocal, LocalEndpointsOnly},
      {"ignores hints for local traffic", "i", "b@ a", "", "1", "1", true,
       InternalTrafficPolicyLocal, LocalEndpointsOnly},
      {"takes both lists of an internal Local that is reachable", "ix", "a@ b", "1", "1", "1", true,
       UsesZoneHints, LocalEndpointsOnly},
      {"rejects when nothing serves anywhere", "i", "-! -@?", "", "", "", false,
       InternalTrafficPolicyLocal, NoEndpoints},
      {"rejects outside when nothing serves", "ex", "-!", "", "", "", false, NoEndpoints,
       NoEndpoints},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Selection got = select(c.service, "a-", c.given);
    EXPECT_TRUE(got.uses_local);
    EXPECT_EQ(places_in_list(got.cluster), c.cluster);
    EXPECT_EQ(places_in_list(got.local), c.local);
    EXPECT_EQ(places_in_list(reachable_endpoints(got)), c.reachable);
    EXPECT_EQ(got.has_any, c.has_any);
    EXPECT_EQ(text_of(got.why.reason).code, text_of(c.why).code);
    EXPECT_EQ(text_of(got.why_local.reason).code, text_of(c.why_local).code);
  }
}

TEST(SelectEndpoints, UsesTheListsThatItsTrafficPoliciesCallFor) {
  const struct {
    const char* name;
    const char* service;
    bool uses_cluster;
    bool uses_local;
  } cases[] = {
      {"plain", "", true, false},
      {"reachable from outside", "x", true, false},
      {"external Local counts when reachable", "ex", true, true},
      {"external Local means nothing when not", "e", true, false},
      {"internal Local alone", "i", false, true},
      {"internal Local, reachable from outside", "ix", true, true},
      {"both Local, reachable from outside", "iex", true, true},
      {"both Local, not reachable", "ie", false, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Selection got = select(c.service, "a1", "-@ -");
    EXPECT_EQ(got.uses_cluster, c.uses_cluster);
    EXPECT_EQ(got.uses_local, c.uses_local);
    EXPECT_EQ(places_in_list(got.cluster), c.uses_cluster ? "1 2" : "");
    EXPECT_EQ(places_in_list(got.local), c.uses_local ? "1" : "");
  }
}

// What holds whatever the lists are.
void expect_promises(const char* service, const std::string& given) {
  SCOPED_TRACE(given + " / " + service);
  const Candidates world(given);
  const Selection got = select(service, "a1", given);
  const auto is_usable = [](const Candidate& e) { return e.ready || (e.serving && e.terminating); };
  for (const std::uint32_t i : reachable_endpoints(got)) EXPECT_TRUE(is_usable(world.endpoints[i]));
  for (const std::uint32_t i : got.local) EXPECT_TRUE(world.endpoints[i].local);
  EXPECT_TRUE(std::ranges::includes(reachable_endpoints(got), got.cluster));
  EXPECT_TRUE(std::ranges::includes(reachable_endpoints(got), got.local));
  EXPECT_EQ(got.has_any, std::ranges::any_of(world.endpoints, is_usable));
  EXPECT_EQ(got.cluster.empty(), !got.uses_cluster || !got.has_any);
}

TEST(SelectEndpoints, KeepsItsPromisesInEverySmallWorld) {
  constexpr std::array kStates = {"a", "b1", "-@", "a1@", "a~", "-@~", "-!", "a?@"};
  constexpr std::array kServices = {"", "x", "e", "ex", "i", "ix", "ie", "iex"};
  for (const std::string first : kStates) {
    for (const std::string second : kStates) {
      for (const std::string third : kStates) {
        for (const char* service : kServices) {
          expect_promises(service, first + " " + second + " " + third);
        }
      }
    }
  }
}

}  // namespace
}  // namespace proxima::policy
