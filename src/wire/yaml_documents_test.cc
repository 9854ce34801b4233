// SPDX-License-Identifier: Apache-2.0
#include "wire/yaml_documents.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/split_mix.h"
#include "wire/yaml_scalar.h"

namespace proxima::wire {
namespace {

// The JSON of each document, one a line; "!message" for an error.
std::string json_of(std::string_view text) {
  std::string out;
  std::size_t line = 1;
  while (!text.empty()) {
    const std::string_view part = take_yaml_part(text);
    YamlDocuments documents(part, line);
    for (const char c : part) line += c == '\n' ? 1 : 0;
    while (true) {
      auto json = documents.next();
      if (json && !json->has_value()) break;
      out += (out.empty() ? "" : "\n") + (json ? **json : "!" + json.error().message);
      if (!json) break;
    }
  }
  return out;
}

// The rule of take_yaml_part() in its simplest form, line by line and asking anew at each
// separator.
std::vector<std::string> naive_parts(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  const auto begins_with_directive = [&part] {
    std::istringstream lines(part);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('%')) return true;
      if (!line.empty() && line.front() != '#' && line != "\r") return false;
    }
    return false;
  };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == text.npos ? text.size() : end + 1);
    const bool separates =
        line.starts_with("---") &&
        (line.size() == 3 || std::string_view("\n\r \t").find(line[3]) != line.npos);
    if (separates && !part.empty() && !begins_with_directive())
      parts.push_back(std::exchange(part, {}));
    part += line;
    text.remove_prefix(line.size());
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) parts.emplace_back(take_yaml_part(text));
  return parts;
}

TEST(YamlParts, AreThoseOfTheSimpleRuleOnRandomTexts) {
  const char* given = std::getenv("PROXIMA_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20'261'118;
  SplitMix random(seed);
  constexpr std::string_view kPieces[] = {"---",    "\n", "\n---\n", "# c\n", "%YAML 1.1\n",
                                          "a: 1\n", " ",  "\r",      "\t",    "----",
                                          "--",     "%",  "--- x\n"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t left = random.below(12); left > 0; --left)
      text += kPieces[random.below(std::size(kPieces))];
    ASSERT_EQ(parts_of(text), naive_parts(text)) << "PROXIMA_SEED=" << seed << "\n" << text;
  }
}

// Asking at each separator what the text begins with takes hours here.
TEST(YamlParts, OfMegabytesOfCommentsAndSeparatorsAreFoundInOnePass) {
  constexpr int kLines = 1'000'000;
  std::string text;
  for (int i = 0; i < kLines; ++i) text += "#\n";
  text += "%YAML 1.1\n";
  for (int i = 0; i < kLines; ++i) text += "---\n";
  EXPECT_EQ(parts_of(text).size(), 1U);
  text.erase(0, text.find('-'));
  EXPECT_EQ(parts_of(text).size(), std::size_t{kLines});
}

TEST(YamlScalar, MeansWhatKubectlTakesItFor) {
  const struct {
    const char* text;
    YamlTag tag;
    const char* json;
  } cases[] = {
      {"yes", YamlTag::Boolean, "true"},
      {"No", YamlTag::Boolean, "false"},
      {"on", YamlTag::Boolean, "true"},
      {"OFF", YamlTag::Boolean, "false"},
      {"y", YamlTag::Boolean, "true"},
      {"true", YamlTag::Boolean, "true"},
      {"tRue", YamlTag::Text, "tRue"},
      {"~", YamlTag::Null, "null"},
      {"", YamlTag::Null, "null"},
      {"null", YamlTag::Null, "null"},
      {"nil", YamlTag::Text, "nil"},
      {"42", YamlTag::Number, "42"},
      {"-7", YamlTag::Number, "-7"},
      {"+7", YamlTag::Number, "7"},
      {"-0", YamlTag::Number, "0"},
      {"010", YamlTag::Number, "8"},
      {"0o17", YamlTag::Number, "15"},
      {"0x1F", YamlTag::Number, "31"},
      {"0b101", YamlTag::Number, "5"},
      {"08", YamlTag::Number, "8"},
      {"1_000", YamlTag::Number, "1000"},
      {"1.5", YamlTag::Number, "1.5"},
      {".5", YamlTag::Number, "0.5"},
      {"5.", YamlTag::Number, "5"},
      {"1e3", YamlTag::Number, "1000"},
      {"-1.5e-2", YamlTag::Number, "-0.015"},
      {"1e", YamlTag::Text, "1e"},
      {"1.2.3", YamlTag::Text, "1.2.3"},
      {"10.0.0.1", YamlTag::Text, "10.0.0.1"},
      {"1e999", YamlTag::Text, "1e999"},
      {".inf", YamlTag::Text, ".inf"},
      {"0x", YamlTag::Text, "0x"},
      {"-", YamlTag::Text, "-"},
      {"500m", YamlTag::Text, "500m"},
      {"12:30", YamlTag::Text, "12:30"},
      {"2026-01-05", YamlTag::Text, "2026-01-05"},
      {"18446744073709551615", YamlTag::Number, "18446744073709551615"},
      {"-9223372036854775808", YamlTag::Number, "-9223372036854775808"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const YamlScalar scalar = resolve_plain_scalar(c.text);
    EXPECT_EQ(scalar.tag, c.tag);
    EXPECT_EQ(scalar.json, c.json);
  }
}

TEST(YamlDocuments, BecomeJson) {
  const struct {
    const char* name;
    const char* yaml;
    const char* json;
  } cases[] = {
      {"a mapping", "a: 1\nb: x", R"({"a":1,"b":"x"})"},
      {"a sequence", "- 1\n- [2, 3]\n- {}", "[1,[2,3],{}]"},
      {"quoted scalars stay strings", "a: \"yes\"\nb: '1'", R"({"a":"yes","b":"1"})"},
      {"a block of text", "a: |\n  x\n  y\n", R"({"a":"x\ny\n"})"},
      {"quotes and backslashes are escaped", "a: 'x\"\\y'", R"({"a":"x\"\\y"})"},
      {"keys are strings", "1: a\ntrue: b", R"({"1":"a","true":"b"})"},
      {"an explicit string", "a: !!str 12", R"({"a":"12"})"},
      {"an explicit number", "a: !!int \"12\"", R"({"a":12})"},
      {"an integer beyond 64 bits", "a: 20000000000000000000", R"({"a":2e+19})"},
      {"an unknown tag is text", "a: !mine 12", R"({"a":"12"})"},
      {"several documents", "a: 1\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}"},
      {"a document on the line of its separator", "--- {a: 1}\n--- [2]", "{\"a\":1}\n[2]"},
      {"directives", "%YAML 1.1\n---\na: 1", R"({"a":1})"},
      {"comments only", "# nothing\n---\n# here\n", "null"},
      {"an ended document", "a: 1\n...\n---\nb: 2", "{\"a\":1}\n{\"b\":2}"},
      {"an anchor and its alias", "a: &x {b: 1}\nc: *x", R"({"a":{"b":1},"c":{"b":1}})"},
      {"an anchored scalar", "a: &x yes\nb: *x", R"({"a":true,"b":true})"},
      {"an anchor given anew", "- &x 1\n- *x\n- &x 2\n- *x", "[1,1,2,2]"},
      {"a merge comes after what is written", "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 3",
       R"({"a":{"b":1,"c":2},"d":{"b":3,"b":1,"c":2}})"},
      {"a merge alone", "a: &x {b: 1}\nc: {<<: *x}", R"({"a":{"b":1},"c":{"b":1}})"},
      {"a merge of several", "d: {<<: [{a: 1}, {b: 2}]}", R"({"d":{"a":1,"b":2}})"},
      {"a merge of nothing", "d: {<<: {}, a: 1}", R"({"d":{"a":1}})"},
      {"a quoted << is a key", "'<<': 1", R"({"<<":1})"},
      {"JSON is YAML", "{\"a\": [true, null]}", R"({"a":[true,null]})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(json_of(c.yaml), c.json);
  }
}

TEST(YamlDocuments, AnEmptyViewHasNone) {
  YamlDocuments documents(std::string_view(), 1);
  const auto next = documents.next();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(*next, std::nullopt);
}

TEST(YamlDocuments, MistakesAreNamedWithTheirPlaceAndDoNotSpoilTheNextDocument) {
  const struct {
    const char* name;
    std::string yaml;
    const char* message;
  } cases[] = {
      {"a tab", "a:\n\t- x", "line 2, column 1"},
      {"an open bracket", "a: [1", "line 2, column 1: did not find"},
      {"a key that comes twice", "a: 1\nb: 2\na: 3", "line 3, column 1: the key \"a\" comes twice"},
      {"an alias of nothing", "a: *x", "no anchor \"x\" before it"},
      {"an anchor inside itself", "a: &x [*x]", "no anchor \"x\" before it"},
      {"a mapping as a key", "{a: 1}: 2", "a key must be a scalar"},
      {"an alias as a key", "a: &x b\n*x : 2", "an alias cannot be a key"},
      {"a merge of a scalar", "<<: 1", "<< takes a mapping or a list of mappings"},
      {"a merge of scalars", "<<: [1]", "<< takes a mapping or a list of mappings"},
      {"too deep", std::string(1000, '[') + std::string(1000, ']'), "nested too deep"},
      {"bytes that are not UTF-8", "a: \xff\xfe", "at byte 3"},
      {"a control character", std::string("a: \x01"), "at byte 3"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string json = json_of(c.yaml + "\n---\nnext: 1\n");
    EXPECT_EQ(json.front(), '!');
    EXPECT_NE(json.find(c.message), std::string::npos) << json;
    EXPECT_TRUE(json.ends_with("\n{\"next\":1}")) << json;
  }
}

TEST(YamlDocuments, AnAliasBombIsRefused) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += (j == 0 ? "" : ",") + before;
    bomb += "]\n";
  }
  EXPECT_NE(json_of(bomb).find("expand to too much"), std::string::npos);
}

}  // namespace
}  // namespace proxima::wire
