// SPDX-License-Identifier: Apache-2.0
#include "manifest/number_table.h"

#include <gtest/gtest.h>

namespace proxima::manifest {
namespace {

constexpr const model::Limit& kLimit = model::limit_of(model::Bounded::Price);

std::string rendered(const Result<std::vector<NumberRow>>& rows) {
  if (!rows) return "error: " + rows.error().message;
  std::string out;
  for (const NumberRow& row : *rows) {
    out += (out.empty() ? "" : " ") + row.path + "=" + std::to_string(row.number).substr(0, 4) +
           "@" + std::to_string(row.line);
  }
  return out;
}

TEST(NumberTable, ReadsYamlJsonAndCsvAlike) {
  const struct {
    const char* name;
    const char* text;
    const char* rows;
  } cases[] = {
      {"nothing is no rows", "", ""},
      {"comments are no rows", "# nothing yet\n", ""},
      {"a flat YAML mapping", "shop/cart: 1.25\nshop/web: 30\n",
       "shop/cart=1.25@1 shop/web=30.0@2"},
      {"a deep YAML mapping", "shop:\n  cart: 1.25\n  web: 30\n",
       "shop/cart=1.25@2 shop/web=30.0@3"},
      {"a flat JSON object", "{\"shop/cart\": 1.25,\n \"shop/web\": 3e1}",
       "shop/cart=1.25@1 shop/web=30.0@2"},
      {"a deep JSON object", R"({"shop": {"cart": 1.25, "web": 30}})",
       "shop/cart=1.25@1 shop/web=30.0@1"},
      {"JSON numbers as text", R"({"a": "2.50"})", "a=2.50@1"},
      {"CSV with column names", "namespace,name,gb\nshop,cart,1.25\n", "shop/cart=1.25@2"},
      {"CSV without", "shop,cart,1.25\nshop,web,30\n", "shop/cart=1.25@1 shop/web=30.0@2"},
      {"CSV with quotes, blanks and CRLF", "\"shop\" , \"cart\", 1.25\r\n\r\nshop,web,30\r\n",
       "shop/cart=1.25@1 shop/web=30.0@3"},
      {"CSV with a path in one column", "shop/cart,1.25\n", "shop/cart=1.25@1"},
      {"a byte order mark before it", "\xEF\xBB\xBFshop/cart: 1.25\n", "shop/cart=1.25@1"},
      {"zero is a number", "a: 0\n", "a=0.00@1"},
      {"so is the limit", "a: 1e6\n", "a=1000@1"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(rendered(parse_number_table(c.text, kLimit)), c.rows);
  }
}

TEST(NumberTable, NamesTheLineThatIsWrong) {
  const struct {
    const char* name;
    const char* text;
    const char* error;
  } cases[] = {
      {"a word", "a: 1\nb: many\n", "line 2: b: \"many\" is not a number of at least 0"},
      {"a negative number", "a: -1\n", "line 1: a: \"-1\" is not a number of at least 0"},
      {"not a number", "a: nan\n", "line 1: a: \"nan\" is not a number of at least 0"},
      {"no end", "a: inf\n", "line 1: a: \"inf\" is not a number of at least 0"},
      {"a unit", "a: 5GB\n", "line 1: a: \"5GB\" is not a number of at least 0"},
      {"nothing behind the name", "a:\n", "line 1: a: \"\" is not a number of at least 0"},
      {"beyond the limit", "a: 1\nb: 1e306\n",
       "line 2: b: \"1e306\" is not a number from 0 to 1,000,000"},
      {"a little beyond it", "a: 1000000.1\n",
       "line 1: a: \"1000000.1\" is not a number from 0 to 1,000,000"},
      {"beyond it in CSV", "a,1e7\n", "line 1: a: \"1e7\" is not a number from 0 to 1,000,000"},
      {"the same name twice", "a: 1\na: 2\n", "line 2: a is given twice"},
      {"the same path in two shapes", "a/b: 1\na: {b: 2}\n", "line 2: a/b is given twice"},
      {"a list", "- a\n", "line 1: expected NAME: NUMBER, not a list or an alias"},
      {"a scalar", "hello\n", "line 1: expected NAME: NUMBER"},
      {"an alias", "a: *b\n", "line 1: expected NAME: NUMBER, not a list or an alias"},
      {"a mapping as a name", "? {a: 1}\n: 2\n", "line 1: a mapping cannot be a name"},
      {"a CSV row without a number", "a,1\nb\n", "line 2: expected NAME,NUMBER"},
      {"a CSV row with an empty name", "a,1\n,2\n", "line 2: an empty name"},
      {"a CSV row that is column names again", "a,1\nname,gb\n",
       "line 2: name: \"gb\" is not a number of at least 0"},
      {"an endless mapping", "{a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}", "line 1: too deep"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(rendered(parse_number_table(c.text, kLimit)), std::string("error: ") + c.error);
  }
  // The end that comes too early is found behind the last line.
  EXPECT_EQ(rendered(parse_number_table("{a: 1", kLimit)).substr(0, 13), "error: line 2");
}

TEST(NumberTable, ReadsAListFromACommandLine) {
  EXPECT_EQ(rendered(parse_number_list("a=1,b = 2.5", kLimit)), "a=1.00@1 b=2.50@1");
  EXPECT_EQ(rendered(parse_number_list("a=1,b", kLimit)), "error: \"b\" is not NAME=NUMBER");
  EXPECT_EQ(rendered(parse_number_list("a=x", kLimit)),
            "error: line 1: a: \"x\" is not a number of at least 0");
  EXPECT_EQ(rendered(parse_number_list("a=1e306", kLimit)),
            "error: line 1: a: \"1e306\" is not a number from 0 to 1,000,000");
  EXPECT_EQ(rendered(parse_number_list("a=1,a=2", kLimit)), "error: line 1: a is given twice");
}

}  // namespace
}  // namespace proxima::manifest
