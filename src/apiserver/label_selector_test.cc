// SPDX-License-Identifier: Apache-2.0
#include "apiserver/label_selector.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima::apiserver {
namespace {

TEST(LabelSelector, IsRefusedInUpstreamsWords) {
  const std::string name_rule =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
      "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
      "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const struct {
    const char* name;
    std::string selector;
    std::string message;
  } cases[] = {
      {"a comma at the end", "a=b,", "found '', expected: identifier after ','"},
      {"a comma at the start", ",a", "found ',', expected: !, identifier, or 'end of string'"},
      {"two words", "a b",
       "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"two values", "a=b=c", "found '=', expected: ',' or 'end of string'"},
      {"only a negation", "!", "unable to parse requirement: found '', expected: identifier"},
      {"two negations", "!!a", "unable to parse requirement: found '!', expected: identifier"},
      {"negation with a value", "!a=b", "found '=', expected: ',' or 'end of string'"},
      {"in without a list", "a in", "unable to parse requirement: found '' expected: '('"},
      {"a list that does not end", "a in (x",
       "unable to parse requirement: found '', expected: ',' or ')'"},
      {"a list that begins wrongly",
       "a in (=", "unable to parse requirement: found '=', expected: ',', ')' or identifier"},
      {"an operator in a list",
       "a in (,=", "unable to parse requirement: found '=', expected: ',', or identifier"},
      {"a parenthesis as value", "a=(",
       "unable to parse requirement: found '(', expected: identifier"},
      {"greater than a word", "a>b",
       "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, "
       "the "
       "value must be an integer"},
      {"a bad key", "-a=b",
       "unable to parse requirement: <nil>: Invalid value: \"-a\": " + name_rule},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto parsed = parse_label_selector(c.selector);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().message, c.message);
  }
}

TEST(LabelSelector, ReadsEveryOperator) {
  auto parsed = parse_label_selector("a=b,c!=d,e in (y,,x),f notin (),g,!h,i>1,j<2,in in (in)");
  ASSERT_TRUE(parsed);
  std::string shown;
  for (const auto& requirement : parsed->requirements()) {
    shown += requirement.key + std::to_string(static_cast<int>(requirement.op));
    for (const auto& value : requirement.values) shown += "[" + value + "]";
  }
  EXPECT_EQ(shown, "a0[b]c1[d]e2[][x][y]f3[]g4h5i6[1]j7[2]in2[in]");
}

}  // namespace
}  // namespace proxima::apiserver
