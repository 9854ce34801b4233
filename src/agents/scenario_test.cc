// SPDX-License-Identifier: Apache-2.0
#include "agents/scenario.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/split_mix.h"
#include "support/source_folder.h"

namespace proxima::agents {
namespace {

std::string file(const std::string& name) {
  std::ifstream in(test::source_folder() + "/examples/" + name);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << name;
  return text.str();
}

// "zone-a 2 0.5; …" and "shop/even 80 1 balanced/20% zone-a=2; …"
std::string text_of(const LabShape& shape) {
  std::ostringstream text;
  for (const ZoneShape& zone : shape.zones)
    text << zone.name << " " << zone.nodes << " " << zone.demand << "; ";
  for (const ServiceShape& service : shape.services) {
    text << service.key() << " " << service.port << " " << service.share << " " << service.policy
         << "/" << service.overload;
    for (const auto& [zone, count] : service.endpoints) text << " " << zone << "=" << count;
    text << "; ";
  }
  text << shape.requests_per_second;
  return text.str();
}

std::string text_of(const std::vector<TimedAction>& timeline) {
  std::string text;
  for (const TimedAction& timed : timeline)
    text += std::to_string(timed.at.count()) + " " + to_text(timed.action) + "\n";
  return text;
}

TEST(Scenario, IsTheDefaultLabWhenItSaysNothing) {
  for (const char* text : {"", "# nothing\n", "{}", "cluster:\ntimeline:\n"}) {
    const auto scenario = parse_scenario(text);
    ASSERT_TRUE(scenario) << scenario.error().message;
    EXPECT_EQ(text_of(scenario->cluster), text_of(default_shape()));
    EXPECT_TRUE(scenario->timeline.empty());
  }
}

TEST(Scenario, DescribesACluster) {
  const auto scenario = parse_scenario(R"(
cluster:
  zones:
    north: {nodes: 1, demand: 75%}
    south: {nodes: 2, demand: 0.25}
  services:
    - name: web
      namespace: front
      endpoints: {north: 1, south: 3}
      policy: balanced
      overload: 0.2
      share: 3
      port: 8000
    - {name: api, overload: 20%}
  requestsPerSecond: 12.5
)");
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(text_of(scenario->cluster),
            "north 1 0.75; south 2 0.25; front/web 8000 3 balanced/0.2 north=1 south=3; "
            "shop/api 80 1 /20%; 12.5");
}

TEST(Scenario, HasATimelineOfEveryAction) {
  const auto scenario = parse_scenario(R"(
timeline:
  - {at: 1m30s, do: heal}
  - {at: 0, do: rate, requestsPerSecond: 100}
  - {at: 5s, do: demand, zones: {zone-a: 80%}}
  - {at: 10s, do: fail-zone, zone: zone-b}
  - {at: 20s, do: heal, zone: zone-b}
  - {at: 30s, do: add-node, zone: zone-c}
  - {at: 40s, do: kill-node, node: node-7}
  - {at: 50s, do: heal, node: node-7}
  - {at: 1m, do: scale, service: shop/even, zones: {zone-a: 4, zone-b: 0}}
  - {at: 500ms, do: policy, service: shop/lopsided, policy: balanced, overload: 20%}
  - {at: 500ms, do: policy, service: shop/lopsided}
)");
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(text_of(scenario->timeline),
            "0 rate 100\n"
            "500 policy shop/lopsided balanced --overload 0.2\n"
            "500 policy shop/lopsided none\n"
            "5000 demand zone-a=80%\n"
            "10000 fail-zone zone-b\n"
            "20000 heal zone-b\n"
            "30000 add-node zone-c\n"
            "40000 kill-node node-7\n"
            "50000 heal node-7\n"
            "60000 scale shop/even zone-a=4 zone-b=0\n"
            "90000 heal\n");
}

struct ScenarioMistake {
  const char* text;
  const char* error;
};

const ScenarioMistake kScenarioMistakes[] = {
    {"timeline: [\n",
     "line 2, column 1: did not find expected node content while parsing a flow "
     "node"},
    {"[1]", "line 1: a mapping is wanted"},
    {"a: 1\n---\nb: 1\n", "one document is wanted, and there are more"},
    {"\nclusters: {}\n", "line 2: clusters: no such field; there are cluster, timeline"},
    {"cluster: 3", "line 1: cluster: a mapping is wanted"},
    {"cluster:\n  zones:\n    a: {nodes: two}\n",
     "line 3: cluster.zones.a.nodes: a whole number from 0 to 1,000,000 is wanted"},
    {"cluster:\n  zones:\n    a: {nodes: 2, power: 1}\n",
     "line 3: cluster.zones.a.power: no such field; there are nodes, demand"},
    {"cluster:\n  zones:\n    a: {nodes: 1, demand: much}\n",
     "line 3: cluster.zones.a.demand: a number such as 0.2, or a percentage such as 20%, is "
     "wanted"},
    {"cluster:\n  zones: {}\n", "line 2: cluster.zones: there must be one at least"},
    {"cluster:\n  services: {}\n", "line 2: cluster.services: a list is wanted"},
    {"cluster:\n  services:\n  - 3\n", "line 3: cluster.services[0]: a mapping is wanted"},
    {"cluster:\n  services:\n  - name: web\n    endpoints:\n      zone-x: 1\n",
     "line 5: cluster.services[0].endpoints.zone-x: no such zone; there are zone-a, zone-b, "
     "zone-c"},
    {"cluster:\n  services:\n  - {name: web, port: 70000}\n",
     "line 3: cluster.services[0].port: a number from 1 to 65535 is wanted"},
    {"cluster:\n  services:\n  - {endpoints: {}}\n", "line 3: cluster.services[0].name: missing"},
    {"cluster: {requestsPerSecond: 1e300}",
     "line 1: cluster.requestsPerSecond: a number from -1,000,000,000 to 1,000,000,000 is wanted"},
    {"cluster:\n  zones: {a: {nodes: 1000001}}\n",
     "line 2: cluster.zones.a.nodes: a whole number from 0 to 1,000,000 is wanted"},
    {"cluster: {requestsPerSecond: fast}", "line 1: cluster.requestsPerSecond: a number is wanted"},
    {"timeline:\n- {at: 1s}\n", "line 2: timeline[0].do: missing"},
    {"timeline:\n- {do: heal}\n", "line 2: timeline[0].at: missing"},
    {"timeline:\n- {at: soon, do: heal}\n",
     "line 2: timeline[0].at: a time such as 10s or 1m30s, up to 24h, is wanted"},
    {"timeline:\n- {at: -1s, do: heal}\n",
     "line 2: timeline[0].at: a time such as 10s or 1m30s, up to 24h, is wanted"},
    {"timeline:\n- at: 1s\n  do: explode\n",
     "line 3: timeline[0].do: no action \"explode\"; there are fail-zone, kill-node, heal, "
     "add-node, scale, demand, rate, policy"},
    {"timeline:\n- at: 1s\n  do: fail-zone\n  zone: x\n",
     "line 4: timeline[0].zone: no zone \"x\"; there are zone-a, zone-b, zone-c"},
    {"timeline:\n- {at: 1s, do: fail-zone, node: node-1}\n",
     "line 2: timeline[0].node: no such field; there are at, do, zone"},
    {"timeline:\n- {at: 1s, do: kill-node, node: node-7}\n",
     "line 2: timeline[0].node: no node \"node-7\"; there are node-1, node-2, node-3, node-4, "
     "node-5, node-6"},
    {"timeline:\n- {at: 1s, do: heal, zone: zone-a, node: node-1}\n",
     "line 2: timeline[0].node: either a zone or a node, or neither"},
    {"timeline:\n- {at: 1s, do: scale, service: web, zones: {zone-a: 1}}\n",
     "line 2: timeline[0].service: no service \"web\"; there are shop/even, shop/lopsided, "
     "shop/single"},
    {"timeline:\n- {at: 1s, do: scale, service: shop/even}\n",
     "line 2: timeline[0].zones: name a zone at least"},
    {"timeline:\n- {at: 1s, do: scale, service: shop/even, zones: {zone-a: 99}}\n",
     "line 2: timeline[0].zones.zone-a: more than 50"},
    {"timeline:\n- {at: 1s, do: demand, zones: {zone-a: 80%, zone-b: 80%}}\n",
     "line 2: timeline[0].zones: the shares add up to more than 100%"},
    {"timeline:\n- {at: 1s, do: demand, zones: {zone-a: 180%}}\n",
     "line 2: timeline[0].zones.zone-a: a share is from 0% to 100%"},
    {"timeline:\n- {at: 1s, do: rate, requestsPerSecond: -1}\n",
     "line 2: timeline[0].requestsPerSecond: a number from 0 to 5000"},
    {"timeline:\n- {at: 1s, do: policy, service: shop/even, policy: best}\n",
     "line 2: timeline[0].policy: no policy \"best\"; there are cluster-wide, topology-keys, auto, "
     "prefer-same-zone, prefer-same-node, zone-aware, balanced, require-zone"},
    {"timeline:\n- {at: 1s, do: policy, service: shop/even, policy: balanced, overload: -1}\n",
     "line 2: timeline[0].overload: \"-1\" is not a bound on overload: use a percentage such as "
     "20%, a number such as 0.2, or inf"},
};

TEST(Scenario, NamesLineAndFieldOfAMistake) {
  for (const ScenarioMistake& row : kScenarioMistakes) {
    const auto scenario = parse_scenario(row.text);
    ASSERT_FALSE(scenario) << row.text;
    EXPECT_EQ(scenario.error().message, row.error) << row.text;
  }
}

TEST(Scenario, RefusesNonsenseWithoutHarm) {
  for (const std::string& text :
       {std::string("\xff\xfe\x01"), std::string(2 << 20, 'a'), std::string(100'000, '['),
        std::string("a: &a [*a]"), std::string("cluster: {zones: {a: {nodes: 1e300}}}"),
        std::string("cluster: {zones: {a: {nodes: 99999999999}}}")})
    EXPECT_FALSE(parse_scenario(text)) << text.substr(0, 40);
}

// Whatever a slip of the finger makes of a file: it is read or refused, with a sentence.
TEST(Scenario, SurvivesAnyChangeOfItsBytes) {
  constexpr std::uint64_t kSeed = 46;
  SplitMix random(kSeed);
  const std::string whole = file("zone-failure.yaml");
  std::size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    for (std::uint64_t changes = 1 + random.next() % 4; changes > 0; --changes) {
      const std::size_t at = random.next() % text.size();
      if (random.next() % 2 == 0) text[at] = static_cast<char>(random.next() % 256);
      if (random.next() % 4 == 0) text.erase(at, random.next() % 20);
    }
    const auto scenario = parse_scenario(text);
    if (scenario) continue;
    ++refused;
    EXPECT_FALSE(scenario.error().message.empty()) << "round " << i << " of seed " << kSeed;
  }
  EXPECT_GT(refused, 1000U);
}

TEST(Scenario, TheExamplesAreScenarios) {
  const auto lab = parse_scenario(file("lab.yaml"));
  ASSERT_TRUE(lab) << lab.error().message;
  EXPECT_EQ(text_of(lab->cluster), text_of(default_shape()))
      << "the file is the default, in words: what `proxima up` runs without flags";
  const auto failure = parse_scenario(file("zone-failure.yaml"));
  ASSERT_TRUE(failure) << failure.error().message;
  EXPECT_FALSE(failure->timeline.empty());
}

}  // namespace
}  // namespace proxima::agents
