// SPDX-License-Identifier: Apache-2.0
#include "conformance/zone_aware_answer.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima::conformance {
namespace {

namespace json = boost::json;

TEST(Fraction, IsExactAndReduced) {
  EXPECT_EQ(Fraction(2, 4).text(), "1/2");
  EXPECT_EQ(Fraction(0, 7).text(), "0");
  EXPECT_EQ(Fraction(7, 7).text(), "1");
  EXPECT_EQ((Fraction(1, 6) + Fraction(1, 3)).text(), "1/2");
  EXPECT_EQ((Fraction(2, 3) * Fraction(9, 10)).text(), "3/5");
  EXPECT_EQ(Fraction::parse("5210/21672"), Fraction(2605, 10836));
  EXPECT_DOUBLE_EQ(Fraction(3, 8).value(), 0.375);
}

TEST(Fraction, HoldsWhat64BitsDoNot) {
  const Fraction small(1, 1'000'000'007);
  const Fraction product = small * small * Fraction(1, 998'244'353);
  EXPECT_EQ(product.text(), "1/998244366975420990913973297");
  EXPECT_EQ((product + product).text(), "2/998244366975420990913973297");
}

TEST(ZoneAwareAnswer, AnswersOneQuestion) {
  const auto question = json::parse(R"({"name": "q", "own_zone": "b",
    "originating_hosts": [["a", "H", 1], ["b", "H", 1]],
    "upstream_hosts": [["a", "H", 1], ["b", "H", 1], ["c", "H", 1]],
    "config": {"min_cluster_size": 3}})");
  const auto answer = answer_zone_aware(question.as_object());
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(json::serialize(answer->at("HEALTHY_HOSTS_NUM")),
            R"({"state":"residual","local_share":6666,"cumulative_residual":[0,0,3333],)"
            R"("probability":{"b":"3333/5000","a":"0","c":"1667/5000"}})");
}

TEST(ZoneAwareAnswer, RefusesWhatIsNotAQuestion) {
  const struct {
    const char* name;
    const char* question;
    const char* error;
  } cases[] = {
      // clang-format off
      {"no hosts", R"({"config": {}})", "zone-aware: originating_hosts: must be a list of hosts"},
      {"a host without weight", R"({"originating_hosts": [["a", "H"]]})", "zone-aware: originating_hosts: a host is"},
      {"a weight of 0", R"({"originating_hosts": [["a", "H", 0]]})", "zone-aware: originating_hosts: a host is"},
      {"a negative weight", R"({"originating_hosts": [["a", "H", -1]]})", "zone-aware: originating_hosts: a host is"},
      {"an unknown state", R"({"originating_hosts": [], "upstream_hosts": [["a", "Q", 1]]})", "zone-aware: upstream_hosts: a host is"},
      {"no config", R"({"originating_hosts": [], "upstream_hosts": []})", "zone-aware: config: must be an object"},
      {"a zone that is a number", R"({"originating_hosts": [], "upstream_hosts": [], "own_zone": 1, "config": {}})", "zone-aware: own_zone: must be text"},
      {"a percentage above 100", R"({"originating_hosts": [], "upstream_hosts": [], "config": {"routing_enabled": 101}})", "zone-aware: config: routing_enabled: must be from 0 to 100"},
      {"a size that is text", R"({"originating_hosts": [], "upstream_hosts": [], "config": {"min_cluster_size": "6"}})", "zone-aware: config: min_cluster_size: must be a number"},
      {"a flag that is a number", R"({"originating_hosts": [], "upstream_hosts": [], "config": {"fail_traffic_on_panic": 1}})", "zone-aware: config: fail_traffic_on_panic: must be true or false"},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto answer = answer_zone_aware(json::parse(c.question).as_object());
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().message.substr(0, std::string(c.error).size()), c.error);
  }
}

TEST(ZoneAwareAnswer, TakesAnEmptyWorld) {
  const auto question = json::parse(
      R"({"own_zone": null, "originating_hosts": [], "upstream_hosts": [], "config": {}})");
  const auto answer = answer_zone_aware(question.as_object());
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(json::serialize(answer->at("HEALTHY_HOSTS_WEIGHT")),
            R"({"state":"none","local_share":null,"cumulative_residual":null,"probability":{}})");
}

}  // namespace
}  // namespace proxima::conformance
