// SPDX-License-Identifier: Apache-2.0
#include "web/request_body.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::web {
namespace {

struct Refused {
  const char* name;
  const char* body;
  const char* error;
};

TEST(RequestBody, PoliciesThatAreRefused) {
  const Refused rows[] = {
      {"no JSON", "{", "the body is no JSON: incomplete JSON"},
      {"a list", "[]", "the body is no JSON object"},
      {"nothing", "", "\"policy\" is missing; null takes the annotation away"},
      {"a number", R"({"policy":1})", "\"policy\" is not a text"},
      {"misspelt", R"({"policy":"balancd"})",
       "\"policy\" is \"balancd\", which is none of cluster-wide, topology-keys, auto, "
       "prefer-same-zone, prefer-same-node, zone-aware, balanced, require-zone"},
      {"an unknown field", R"({"policy":"auto","theta":1})",
       "the body has a field that is not known: \"theta\""},
      {"overload as a flag", R"({"policy":"balanced","overload":true})",
       "\"overload\" is not a number"},
      {"overload as other words", R"({"policy":"balanced","overload":"none"})",
       "\"overload\": \"none\" is not a bound on overload: use a percentage such as 20%, a number "
       "such as 0.2, or inf"},
      {"negative overload", R"({"policy":"balanced","overload":-0.1})",
       "\"overload\" is not a number from 0 to 1,000,000"},
      {"more overload than anybody can mean", R"({"policy":"balanced","overload":1000001})",
       "\"overload\" is not a number from 0 to 1,000,000"},
      {"endless overload", R"({"policy":"balanced","overload":1e999})",
       "\"overload\" is not a number"},
      {"overload of nothing", R"({"policy":null,"overload":0.1})",
       "\"overload\" without a policy means nothing"},
  };
  for (const Refused& row : rows) {
    const auto wish = read_policy(row.body);
    ASSERT_FALSE(wish) << row.name;
    EXPECT_EQ(wish.error().message, row.error) << row.name;
    EXPECT_EQ(wish.error().code, ErrorCode::InvalidInput) << row.name;
  }
}

TEST(RequestBody, PoliciesThatAreTaken) {
  const auto balanced = read_policy(R"({"policy":"balanced","overload":0.2})");
  ASSERT_TRUE(balanced);
  EXPECT_EQ(balanced->policy, "balanced");
  EXPECT_EQ(balanced->overload, 0.2);
  const std::pair<const char*, double> words[] = {
      {"20%", 0.2}, {"0.5", 0.5}, {"inf", std::numeric_limits<double>::infinity()}};
  for (const auto& [word, bound] : words) {
    const auto said =
        read_policy(std::string(R"({"policy":"balanced","overload":")") + word + "\"}");
    ASSERT_TRUE(said) << word;
    EXPECT_EQ(said->overload, bound) << word;
  }
  const auto without = read_policy(R"({"policy":"auto","overload":null})");
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->overload);
  const auto none = read_policy(R"({"policy":null})");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->policy);
}

TEST(RequestBody, OfALabThatAreRefused) {
  const Refused scales[] = {
      {"no service", R"({"zones":{"zone-a":1}})", "scale: \"service\" is missing"},
      {"no zones", R"({"service":"a/b"})", "\"zones\" is missing"},
      {"empty zones", R"({"service":"a/b","zones":{}})",
       "\"zones\" is not an object with at least one zone"},
      {"half a Pod", R"({"service":"a/b","zones":{"zone-a":1.5}})",
       "\"zones\": \"zone-a\" is not a whole number from 0 to 50"},
      {"too many", R"({"service":"a/b","zones":{"zone-a":51}})",
       "\"zones\": \"zone-a\" is not a whole number from 0 to 50"},
      {"text", R"({"service":"a/b","zones":{"zone-a":"two"}})",
       "\"zones\": \"zone-a\" is not a number"},
  };
  for (const Refused& row : scales) EXPECT_EQ(read_scale(row.body).error().message, row.error);
  const Refused demands[] = {
      {"no zones", "{}", "\"zones\" is missing"},
      {"percent", R"({"zones":{"zone-a":80}})", "\"zones\": \"zone-a\" is not between 0 and 1"},
      {"more than all", R"({"zones":{"zone-a":0.8,"zone-b":0.3}})",
       "the shares of \"zones\" are more than 1 together"},
  };
  for (const Refused& row : demands) EXPECT_EQ(read_demand(row.body).error().message, row.error);
  EXPECT_EQ(read_heal(R"({"zone":"a","node":"b"})").error().message,
            "either \"zone\" or \"node\", not both");
  EXPECT_EQ(read_name("{}", "zone").error().message, "\"zone\" is missing");
}

TEST(RequestBody, OfALabThatAreTaken) {
  EXPECT_EQ(read_name(R"({"zone":"zone-b"})", "zone").value(), "zone-b");
  EXPECT_EQ(read_scale(R"({"service":"shop/even","zones":{"zone-a":4}})")->zones.at("zone-a"), 4U);
  EXPECT_EQ(read_demand(R"({"zones":{"zone-a":0.8}})")->at("zone-a"), 0.8);
  EXPECT_TRUE(read_heal("")) << "an empty body heals everything";
  EXPECT_EQ(read_heal(R"({"node":"node-1"})")->node, "node-1");
}

}  // namespace
}  // namespace proxima::web
