// SPDX-License-Identifier: Apache-2.0
#include "conformance/balanced_answer.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima::conformance {
namespace {

namespace json = boost::json;

Result<json::object> ask(std::string_view question) {
  return answer_balanced(json::parse(question).as_object());
}

double number(const json::value& value) { return value.to_number<double>(); }

TEST(BalancedAnswer, SplitsTheOverloadOfAZone) {
  const auto answer = ask(R"({"name": "n", "demand": {"a": 0.75, "b": 0.25},
    "endpoints": [{"zone": "a"}, {"zone": "b"}], "overload": 0.2})");
  ASSERT_TRUE(answer) << answer.error().message;
  const json::object& split = answer->at("split").as_object();
  EXPECT_NEAR(number(split.at("a").at("a")), 0.6, 1e-12);
  EXPECT_NEAR(number(split.at("a").at("b")), 0.15, 1e-12);
  EXPECT_NEAR(number(split.at("b").at("b")), 0.25, 1e-12);
  EXPECT_EQ(number(split.at("b").at("a")), 0);
  EXPECT_NEAR(number(answer->at("localShare")), 0.85, 1e-12);
  EXPECT_NEAR(number(answer->at("worstOverload")), 0.2, 1e-12);
  EXPECT_NEAR(number(answer->at("cost")), 0.15, 1e-12);
}

TEST(BalancedAnswer, WeighsEndpointsAndFollowsPrices) {
  const auto answer = ask(R"({"demand": {"a": 1}, "overload": 0,
    "endpoints": [{"zone": "b", "weight": 3}, {"zone": "c", "weight": 1}],
    "price": {"a": {"b": 2, "c": 0.5, "elsewhere": 9}}})");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_NEAR(number(answer->at("split").at("a").at("b")), 0.75, 1e-12);
  EXPECT_NEAR(number(answer->at("cost")), 1.625, 1e-12);
}

TEST(BalancedAnswer, KeepsTheUnitOfTheDemand) {
  const auto answer = ask(R"({"demand": {"a": 30, "b": 10, "c": 0}, "overload": null,
    "endpoints": [{"zone": "a"}, {"zone": "b"}], "localShare": "recorded"})");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_NEAR(number(answer->at("split").at("a").at("a")), 30, 1e-12);
  EXPECT_NEAR(number(answer->at("localShare")), 1, 1e-12);
  EXPECT_NEAR(number(answer->at("worstOverload")), 0.5, 1e-12);
  const json::object& idle = answer->at("split").at("c").as_object();
  EXPECT_EQ(idle.size(), 2u);
  EXPECT_EQ(number(idle.at("a")), 0);
}

TEST(BalancedAnswer, RefusesWhatItCannotRead) {
  const struct {
    const char* question;
    const char* error;
  } cases[] = {
      {R"({"endpoints": [{"zone": "a"}], "overload": 0})", "balanced: demand: missing"},
      {R"({"demand": 1, "endpoints": [{"zone": "a"}], "overload": 0})",
       "balanced: demand: not an object"},
      {R"({"demand": {"a": -1}, "endpoints": [{"zone": "a"}], "overload": 0})",
       "balanced: demand: a: negative"},
      {R"({"demand": {"a": "1"}, "endpoints": [{"zone": "a"}], "overload": 0})",
       "balanced: demand: a: not a number"},
      {R"({"demand": {"a": 0}, "endpoints": [{"zone": "a"}], "overload": 0})",
       "balanced: demand: all zero"},
      {R"({"demand": {"a": 1e308, "b": 1e308}, "endpoints": [{"zone": "a"}], "overload": 0})",
       "balanced: demand: too large"},
      {R"({"demand": {"a": 1}, "overload": 0})", "balanced: endpoints: missing"},
      {R"({"demand": {"a": 1}, "endpoints": {}, "overload": 0})",
       "balanced: endpoints: not a list"},
      {R"({"demand": {"a": 1}, "endpoints": [], "overload": 0})", "balanced: endpoints: none"},
      {R"({"demand": {"a": 1}, "endpoints": [7], "overload": 0})",
       "balanced: endpoints: 0: not an object"},
      {R"({"demand": {"a": 1}, "endpoints": [{"weight": 1}], "overload": 0})",
       "balanced: endpoints: 0: zone: missing"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": 1}], "overload": 0})",
       "balanced: endpoints: 0: zone: not a text"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a"}, {"zone": "a", "weight": 0}]})",
       "balanced: endpoints: 1: weight: must be above 0"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a", "wieght": 2}], "overload": 0})",
       "balanced: endpoints: 0: wieght: unknown field"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a"}]})", "balanced: overload: missing"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a"}], "overload": -0.1})",
       "balanced: overload: negative"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a"}], "overload": 0, "price": 1})",
       "balanced: price: not an object"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a"}], "overload": 0, "price": {"a": 1}})",
       "balanced: price: a: not an object"},
      {R"({"demand": {"a": 1}, "endpoints": [{"zone": "a"}], "overload": 0,
           "price": {"a": {"b": -1}}})",
       "balanced: price: a: b: negative"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.question);
    const auto answer = ask(c.question);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, c.error);
  }
}

}  // namespace
}  // namespace proxima::conformance
