// SPDX-License-Identifier: Apache-2.0
// Random clusters with the exact answers of an independent model of Envoy's rules.
#include <gtest/gtest.h>

#include "conformance/envoy_vectors/vector_file.h"
#include "conformance/zone_aware_answer.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::HostView;
using policy::LocalityBasis;
using policy::Reason;
using policy::ZoneCounter;

constexpr std::pair<const char*, LocalityBasis> kBases[] = {
    {"HEALTHY_HOSTS_NUM", LocalityBasis::HealthyHostsNum},
    {"HEALTHY_HOSTS_WEIGHT", LocalityBasis::HealthyHostsWeight},
};

// Runs `test` for each entry and basis.
template <class Test>
void for_each_case(Test test) {
  const json::array& entries = vectors_of("envoy_random.json");
  EXPECT_EQ(entries.size(), 250u);
  for (const json::value& entry : entries) {
    SCOPED_TRACE(text(entry.at("name")));
    const auto question = read_zone_aware_question(entry.as_object());
    ASSERT_TRUE(question.has_value()) << question.error().message;
    for (const auto& [name, basis] : kBases) {
      SCOPED_TRACE(name);
      test(entry.as_object(), *question, name, basis);
    }
  }
}

const json::object& expected(const json::object& entry, const char* basis) {
  return entry.at("expect").at(basis).as_object();
}

json::object as_object(const policy::ZoneCounters& counters) {
  json::object result;
  for (std::size_t i = 0; i < policy::kZoneCounters; ++i) {
    const auto counter = static_cast<ZoneCounter>(i);
    if (counters[counter] != 0) result[to_text(counter)] = counters[counter];
  }
  return result;
}

// Numbers that were read are signed, those computed here are not; text is the same.
std::string plain(const json::value& value) { return json::serialize(value); }

json::value reason_name(const policy::ZoneRouting& routing) {
  if (routing.state != policy::ZoneState::None) return nullptr;
  if (routing.reason == Reason::ZoneAwareUpstreamSingleZone) return "upstream_buckets";
  if (routing.reason == Reason::ZoneAwareOriginatingSingleZone) return "originating_buckets";
  if (routing.reason == Reason::ZoneAwareOwnZoneUnknown) return "originating_has_no_own_zone";
  return routing.reason == Reason::ZoneAwareClusterTooSmall ? "too_small" : "unexpected";
}

json::value percentages(const policy::ZoneRouting& routing) {
  if (routing.state == policy::ZoneState::None) return nullptr;
  json::array list;
  for (const policy::ZonePercentage& pair : routing.percentages) {
    list.push_back(json::array{pair.originating, pair.upstream});
  }
  return list;
}

json::value zone_pick_probability(const policy::ZoneRouting& routing) {
  if (routing.state == policy::ZoneState::None) return nullptr;
  json::array list;
  for (std::size_t i = 0; i < routing.percentages.size(); ++i) {
    const policy::Ratio share = policy::zone_pick_share(routing, i);
    list.emplace_back(Fraction(share.part, share.whole).text());
  }
  return list;
}

// Which panic, if any, keeps the requests from the zones.
json::object path(const ZoneAwareCase& solved) {
  const policy::ZoneAwareBalancer balancer = solved.balancer();
  if (balancer.loads.front().panic) return {{"upstream_panic", 1}};
  const bool zones_count = solved.routing().state != policy::ZoneState::None &&
                           solved.config().routing_enabled_percent > 0;
  if (zones_count && policy::originating_panic(balancer)) return {{"originating_panic", 1}};
  return {};
}

TEST(EnvoyRandom, BucketsStandInEnvoysOrder) {
  for_each_case([](const json::object& entry, const ZoneAwareQuestion& question, const char*,
                   LocalityBasis) {
    json::array order;
    for (const auto& bucket : question.upstream.buckets) {
      order.emplace_back(question.zone_of(bucket));
    }
    EXPECT_EQ(order, entry.at("expect").at("bucket_order").as_array());
    EXPECT_EQ(question.upstream.has_local, entry.at("expect").at("upstream_has_local").as_bool());
  });
}

TEST(EnvoyRandom, RegenerationsAreExact) {
  for_each_case([](const json::object& entry, const ZoneAwareQuestion& question, const char* name,
                   LocalityBasis basis) {
    const json::object& want = expected(entry, name);
    const ZoneAwareCase solved(question, basis);
    const policy::ZoneRouting& routing = solved.routing();
    EXPECT_EQ(reason_name(routing), want.at("reason"));
    EXPECT_EQ(plain(percentages(routing)), plain(want.at("percentages_l_u")));
    EXPECT_EQ(zone_pick_probability(routing), want.at("zone_pick_probability"));
    EXPECT_EQ(plain(as_object(policy::regeneration_counters(routing.reason))),
              plain(want.at("regeneration_stats")));
    EXPECT_EQ(plain(path(solved)), plain(want.at("path")));
    const policy::PriorityLoad& load = solved.balancer().loads.front();
    EXPECT_EQ(load.healthy, number(want, "healthy_load", 1000));
    EXPECT_EQ(load.degraded, number(want, "degraded_load", 1000));
    EXPECT_EQ(load.panic, want.at("upstream_panic").as_bool());
    EXPECT_EQ(request_shares(solved).no_host.text(), text(want.at("probability_no_host")));
  });
}

TEST(EnvoyRandom, AnswersOfTheConformanceToolAreExact) {
  for (const json::value& entry : vectors_of("envoy_random.json")) {
    SCOPED_TRACE(text(entry.at("name")));
    const auto answer = answer_zone_aware(entry.as_object());
    ASSERT_TRUE(answer.has_value());
    for (const auto& [name, basis] : kBases) {
      const json::object& want = expected(entry.as_object(), name);
      const json::object& got = answer->at(name).as_object();
      EXPECT_EQ(got.size(), 4u);
      for (const auto& part : got) {
        EXPECT_EQ(plain(part.value()), plain(want.at(part.key()))) << name << " " << part.key();
      }
    }
  }
}

TEST(EnvoyRandom, TheRowOfThePlannerIsTheSame) {
  for_each_case([](const json::object& entry, const ZoneAwareQuestion& question, const char* name,
                   LocalityBasis basis) {
    const json::object& want = expected(entry, name);
    policy::ZoneAwareConfig config = question.config;
    config.basis = basis;
    const auto places = question.places();
    std::vector<double> row(places.size());
    const auto got = policy::zone_aware_row(places, question.own_zone, config, row);
    EXPECT_NEAR(got.no_host, want.at("probability_no_host_float").as_double(), 1e-12);
    const json::object& probability = want.at("probability_float").as_object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const json::value* share = field(probability, question.zones[i]);
      EXPECT_NEAR(row[i], share == nullptr ? 0 : share->as_double(), 1e-12) << question.zones[i];
    }
  });
}

std::string list_name(const std::optional<policy::HostList>& list) {
  if (!list) return "none";
  if (list->view == HostView::All) return "all";
  const std::string view = list->view == HostView::Healthy ? "healthy" : "degraded";
  return list->bucket ? "bucket/" + view : view;
}

TEST(EnvoyRandom, SampledPicksUseTheSameDrawsListsAndCounters) {
  for_each_case([](const json::object& entry, const ZoneAwareQuestion& question, const char* name,
                   LocalityBasis basis) {
    const ZoneAwareCase solved(question, basis);
    for (const json::value& sample : entry.at("sample_picks").at(name).as_array()) {
      SCOPED_TRACE(json::serialize(sample));
      policy::RequestDraws draws;
      const auto given = numbers(sample.at("draws"));
      std::copy(given.begin(), given.end(), draws.balancer.begin());
      draws.gate = sample.at("gate_draw").to_number<std::uint64_t>();
      const policy::RequestPick got = policy::pick_hosts(solved.balancer(), draws);
      EXPECT_EQ(got.draws_used, sample.at("draws_used").to_number<std::uint64_t>());
      EXPECT_EQ(list_name(got.list), text(sample.at("list")));
      EXPECT_EQ(plain(as_object(got.counters)), plain(sample.at("stats")));
      if (got.list && got.list->bucket) {
        EXPECT_EQ(question.zone_of(question.upstream.buckets[*got.list->bucket]),
                  text(sample.at("zone")));
      }
    }
  });
}

}  // namespace
}  // namespace proxima::conformance
