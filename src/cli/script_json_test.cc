// SPDX-License-Identifier: Apache-2.0
#include "cli/script_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::cli {
namespace {

TEST(ScriptJson, LeavesNothingInATextThatAScriptElementCouldTrip) {
  struct Row {
    const char* name;
    std::string_view text;
    const char* json;
  };
  using namespace std::string_view_literals;
  const Row rows[] = {
      {"keeps ordinary text", "checkout/cart-v2", R"("checkout/cart-v2")"},
      {"keeps letters of any script", "größe 東京", R"("größe 東京")"},
      {"cannot end the element", "</script>", R"("\u003c/script\u003e")"},
      {"cannot start a comment", "<!--", R"("\u003c!--")"},
      {"cannot start an entity", "&lt;", R"("\u0026lt;")"},
      {"cannot end the string", R"(a"b\c)", R"("a\u0022b\u005cc")"},
      {"cannot end the line", "a\nb\r", R"("a\u000ab\u000d")"},
      {"cannot end a line of JavaScript", "\xe2\x80\xa8|\xe2\x80\xa9", R"("\u2028|\u2029")"},
      {"keeps neighbours of those two", "\xe2\x80\xa7\xe2\x80", "\"\xe2\x80\xa7\xe2\x80\""},
      {"keeps a zero byte", "a\0b"sv, R"("a\u0000b")"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ScriptJson().text(row.text).take(), row.json) << row.name;
    EXPECT_EQ(ScriptJson().open('{').key(row.text).null().close('}').take(),
              "{" + std::string(row.json) + ":null}")
        << row.name << ", as a key";
  }
}

TEST(ScriptJson, WritesNumbersShortAndNeverWhatJsonLacks) {
  struct Row {
    double number;
    const char* json;
  };
  const Row rows[] = {{0, "0"},
                      {0.2, "0.2"},
                      {1.0 / 3, "0.333333"},
                      {24600, "24600"},
                      {-1.5, "-1.5"},
                      {std::numeric_limits<double>::infinity(), "null"},
                      {std::numeric_limits<double>::quiet_NaN(), "null"}};
  for (const Row& row : rows) EXPECT_EQ(ScriptJson().number(row.number).take(), row.json);
}

TEST(ScriptJson, PutsCommasBetweenValuesAndNowhereElse) {
  ScriptJson json;
  json.open('{').key("a").open('[').integer(1).integer(2).open('[').close(']').close(']');
  json.key("b").open('{').close('}').key("c").text("").close('}');
  EXPECT_EQ(json.take(), R"({"a":[1,2,[]],"b":{},"c":""})");
}

}  // namespace
}  // namespace proxima::cli
