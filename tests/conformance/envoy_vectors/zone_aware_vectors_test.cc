// SPDX-License-Identifier: Apache-2.0
// What Envoy's own tests assert about zone aware routing.
#include <gtest/gtest.h>

#include "conformance/envoy_vectors/vector_file.h"
#include "conformance/envoy_vectors/zone_aware_world.h"
#include "conformance/zone_aware_answer.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::Reason;
using policy::ZoneCounter;

Reason reason_named(std::string_view name) {
  if (name == "upstream_buckets") return Reason::ZoneAwareUpstreamSingleZone;
  if (name == "originating_buckets") return Reason::ZoneAwareOriginatingSingleZone;
  if (name == "originating_has_no_own_zone") return Reason::ZoneAwareOwnZoneUnknown;
  if (name == "lb_local_cluster_not_ok") return Reason::ZoneAwareOwnZoneUnknown;
  if (name == "lb_zone_number_differs") return Reason::ZoneAwareZoneNumberDiffers;
  EXPECT_EQ(name, "too_small");
  return Reason::ZoneAwareClusterTooSmall;
}

ZoneCounter counter_named(std::string_view name) {
  for (std::size_t i = 0; i < policy::kZoneCounters; ++i) {
    if (to_text(static_cast<ZoneCounter>(i)) == name) return static_cast<ZoneCounter>(i);
  }
  ADD_FAILURE() << "unknown counter " << name;
  return ZoneCounter::HealthyPanic;
}

// State, reason, local share and running sums, as far as `facts` has them.
void expect_routing(const policy::ZoneRouting& routing, const json::object& facts) {
  EXPECT_EQ(state_name(routing.state), text(facts.at("state")));
  if (const json::value* reason = field(facts, "reason")) {
    EXPECT_EQ(routing.reason, reason_named(text(*reason)));
  }
  if (const json::value* share = field(facts, "local_share")) {
    EXPECT_EQ(routing.local_share, share->to_number<std::uint64_t>());
  }
  if (const json::value* sums = field(facts, "cumulative")) {
    EXPECT_EQ(std::vector<std::uint64_t>(routing.cumulative.begin(), routing.cumulative.end()),
              numbers(*sums));
  }
}

void expect_percentages(const policy::ZoneRouting& routing, const json::array& expected) {
  ASSERT_EQ(routing.percentages.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto pair = numbers(expected[i]);
    EXPECT_EQ(routing.percentages[i].originating, pair[0]) << "bucket " << i;
    EXPECT_EQ(routing.percentages[i].upstream, pair[1]) << "bucket " << i;
  }
}

void expect_probability(const policy::ZoneRouting& routing, const json::array& expected) {
  ASSERT_EQ(routing.percentages.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const policy::Ratio share = policy::zone_pick_share(routing, i);
    EXPECT_EQ(Fraction(share.part, share.whole), Fraction::parse(text(expected[i])))
        << "bucket " << i;
  }
}

policy::RequestDraws draws_of(const json::object& pick) {
  policy::RequestDraws draws;
  const auto given = numbers(pick.at("draws"));
  std::copy(given.begin(), given.end(), draws.balancer.begin());
  const json::value* gate = field(pick, "gate");
  if (gate != nullptr && !gate->as_bool()) draws.gate = 99;
  return draws;
}

void expect_list(ZoneAwareWorld& world, const policy::RequestPick& got, const json::object& want) {
  const std::string from = text(want.at("from"));
  ASSERT_EQ(got.list.has_value(), from != "none");
  if (!got.list) return;
  EXPECT_EQ(got.list->bucket.has_value(), from == "bucket");
  if (from == "bucket") {
    EXPECT_EQ(*got.list->bucket, number(want, "bucket", 0));
    EXPECT_EQ(world.zone_of(*got.list->bucket), text(want.at("zone")));
  } else {
    constexpr const char* kViews[] = {"healthy", "degraded", "all"};
    EXPECT_EQ(kViews[static_cast<std::size_t>(got.list->view)], from);
    EXPECT_EQ(got.list->priority, number(want, "priority", 0));
  }
  EXPECT_EQ(world.next_index(*got.list), number(want, "index", 0));
}

policy::ZoneCounters expect_pick(ZoneAwareWorld& world, const json::object& want) {
  const policy::RequestPick got = world.pick(draws_of(want));
  EXPECT_EQ(got.draws_used, want.at("draws").as_array().size());
  if (field(want, "from") != nullptr) expect_list(world, got, want);
  if (const json::value* stats = field(want, "stat")) {
    policy::ZoneCounters expected;
    for (const json::value& name : stats->as_array()) expected.add(counter_named(text(name)));
    EXPECT_EQ(got.counters, expected);
  }
  return got.counters;
}

void expect_asserted(ZoneAwareWorld& world, const json::object& asserted) {
  policy::ZoneCounters counters = world.regeneration();
  if (const json::value* picks = field(asserted, "picks")) {
    for (const json::value& pick : picks->as_array()) {
      SCOPED_TRACE(json::serialize(pick));
      counters += expect_pick(world, pick.as_object());
    }
  }
  if (const json::value* stats = field(asserted, "stats")) {
    for (const auto& stat : stats->as_object()) {
      EXPECT_EQ(counters[counter_named(stat.key())], stat.value().to_number<std::uint64_t>())
          << stat.key();
    }
  }
}

TEST(EnvoyVectors, ZoneAwareStatesPicksAndCountersAreEnvoys) {
  for (const json::object* entry : envoy_vectors("zone_aware")) {
    SCOPED_TRACE(text(entry->at("name")));
    ZoneAwareWorld world(*entry);
    expect_asserted(world, entry->at("asserted").as_object());
    const json::value* derived = field(*entry, "derived");
    if (derived == nullptr) continue;
    const json::object& facts = derived->as_object();
    expect_routing(world.routing(), facts);
    if (const json::value* pairs = field(facts, "percentages")) {
      expect_percentages(world.routing(), pairs->as_array());
    }
    if (const json::value* shares = field(facts, "probability")) {
      expect_probability(world.routing(), shares->as_array());
    }
    if (const json::value* legacy = field(facts, "legacy_2021")) {
      expect_routing(world.routing_2021(), legacy->as_object());
    }
  }
}

// Per zone "0", "1", … in an object.
std::vector<std::uint64_t> by_zone(const json::value& counts) {
  std::vector<std::uint64_t> result;
  for (const auto& count : counts.as_object()) {
    result.push_back(count.value().to_number<std::uint64_t>());
  }
  return result;
}

double share_of(const std::vector<std::uint64_t>& counts, std::size_t zone) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  return static_cast<double>(counts[zone]) / static_cast<double>(total);
}

TEST(EnvoyVectors, TrafficOfAllZonesTogetherReachesEachZoneByItsHealthyHosts) {
  for (const json::object* entry : envoy_vectors("fairness")) {
    SCOPED_TRACE(text(entry->at("name")));
    const auto originating = by_zone(entry->at("originating"));
    const auto total = by_zone(entry->at("upstream_total"));
    const auto healthy = by_zone(entry->at("upstream_healthy"));
    const auto config = read_zone_aware_config(entry->at("config").as_object()).value();
    std::vector<policy::ZoneAwarePlace> places(originating.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i].originating_total = places[i].originating_healthy = originating[i];
      places[i].upstream_total = total[i];
      places[i].upstream_healthy = healthy[i];
    }
    std::vector<double> arrived(places.size());
    for (std::size_t from = 0; from < places.size(); ++from) {
      std::vector<double> row(places.size());
      EXPECT_EQ(policy::zone_aware_row(places, from, config, row).no_host, 0);
      for (std::size_t to = 0; to < row.size(); ++to) {
        arrived[to] += share_of(originating, from) * row[to];
      }
    }
    for (std::size_t to = 0; to < arrived.size(); ++to) {
      EXPECT_NEAR(arrived[to], share_of(healthy, to), entry->at("tolerance").as_double());
    }
  }
}

}  // namespace
}  // namespace proxima::conformance
