// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_patch.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/patch.h"

namespace proxima::apiserver {
namespace {

using boost::json::parse;
using boost::json::serialize;

// The document after the patch, or the complaint.
std::string patched(const char* document, const char* patch) {
  auto done = patch_document(parse(document), parse(patch).as_array());
  return done ? serialize(*done) : done.error().message;
}

TEST(JsonPatch, DoesWhatUpstreamDoes) {
  const struct {
    const char* name;
    const char* document;
    const char* patch;
    const char* expected;
  } cases[] = {
      {"adds a member", R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])",
       R"({"a":1,"b":2})"},
      {"adds into a list", R"({"a":[1,3]})", R"([{"op":"add","path":"/a/1","value":2}])",
       R"({"a":[1,2,3]})"},
      {"adds behind a list", R"({"a":[1]})", R"([{"op":"add","path":"/a/-","value":2}])",
       R"({"a":[1,2]})"},
      {"counts from the end", R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/-1"}])",
       R"({"a":[1]})"},
      {"adds null for a missing value", R"({})", R"([{"op":"add","path":"/a"}])", R"({"a":null})"},
      {"decodes names", R"({"a/b":{"c~d":1}})", R"([{"op":"remove","path":"/a~1b/c~0d"}])",
       R"({"a/b":{}})"},
      {"replaces what is not there", R"({})", R"([{"op":"replace","path":"/a","value":1}])",
       R"({"a":1})"},
      {"moves", R"({"a":{"b":1},"c":{}})", R"([{"op":"move","from":"/a/b","path":"/c/d"}])",
       R"({"a":{},"c":{"d":1}})"},
      {"copies", R"({"a":{"b":1}})", R"([{"op":"copy","from":"/a","path":"/a/c"}])",
       R"({"a":{"b":1,"c":{"b":1}}})"},
      {"tests in depth", R"({"a":{"b":[1,{}]}})",
       R"([{"op":"test","path":"/a","value":{"b":[1,{}]}}])", R"({"a":{"b":[1,{}]}})"},
      {"a missing member equals null", R"({})", R"([{"op":"test","path":"/a","value":null}])",
       R"({})"},
      {"a path counts from its first slash", R"({})", R"([{"op":"add","path":"x/b","value":2}])",
       R"({"b":2})"},
      {"a test fails", R"({"a":1})", R"([{"op":"test","path":"/a","value":2}])",
       "testing value /a failed: test failed"},
      {"nothing to remove", R"({})", R"([{"op":"remove","path":"/a"}])",
       "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value"},
      {"the way is missing", R"({})", R"([{"op":"add","path":"/a/b","value":1}])",
       "add operation does not apply: doc is missing path: \"/a/b\": missing value"},
      {"an index too many", R"({"a":[]})", R"([{"op":"add","path":"/a/1","value":1}])",
       "error in add for path: '/a/1': Unable to access invalid index: 1: invalid index "
       "referenced"},
      {"no index", R"({"a":[]})", R"([{"op":"add","path":"/a/x","value":1}])",
       "error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: "
       "parsing \"x\": invalid syntax"},
      {"an index beyond all numbers", R"({"a":[1]})",
       R"([{"op":"remove","path":"/a/99999999999999999999"}])",
       "error in remove for path: '/a/99999999999999999999': strconv.Atoi: parsing "
       "\"99999999999999999999\": value out of range"},
      {"an unknown operation", R"({})", R"([{"op":"sing","path":"/a"}])", "Unexpected kind: sing"},
      {"no operation", R"({})", R"([null])", "Unexpected kind: unknown"},
      {"no path", R"({})", R"([{"op":"add"}])",
       "add operation failed to decode path: missing value"},
      {"nothing to move", R"({"c":{}})", R"([{"op":"move","from":"/a","path":"/c/d"}])",
       "error in move for path: 'a': Unable to remove nonexistent key: a: missing value"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(patched(c.document, c.patch), c.expected);
  }
}

TEST(JsonPatch, StopsBeforeCopiesGrowTooLarge) {
  boost::json::object document{{"a", boost::json::array{std::string(1000, 'x')}}};
  const boost::json::array doubling(20, parse(R"({"op":"copy","from":"/a","path":"/a/-"})"));
  auto done = patch_document(document, doubling);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("accumulated size increase of copy"), std::string::npos);
}

TEST(JsonPatch, StopsBeforeTheDocumentIsTooDeep) {
  const boost::json::array nesting(20, parse(R"({"op":"copy","from":"/a","path":"/a/a"})"));
  // Each copy goes into the one before: 2, 3, 5, 9 … levels.
  boost::json::array deepening;
  std::string path = "/a";
  for (int i = 0; i < 12; ++i) {
    deepening.push_back({{"op", "copy"}, {"from", "/a"}, {"path", path + "/a"}});
    std::string twice = path;
    for (int k = 0; k < (1 << i); ++k) twice += "/a";
    path = twice;
  }
  EXPECT_TRUE(patch_document(parse(R"({"a":{}})"), nesting));
  auto done = patch_document(parse(R"({"a":{}})"), deepening);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("levels deep"), std::string::npos);
}

TEST(JsonPatch, OfARequestIsRefusedAsUpstreamRefusesIt) {
  const struct {
    const char* patch;
    int code;
    const char* message;
  } cases[] = {
      {"{}", 400,
       "error decoding patch: json: cannot unmarshal object into Go value of type "
       "[]handlers.jsonPatchOp"},
      {"[1]", 400,
       "error decoding patch: json: cannot unmarshal number into Go value of type "
       "handlers.jsonPatchOp"},
      {R"([{"op":1}])", 400,
       "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of "
       "type string"},
      {R"([{"op":"remove","path":"/b"}])", 422,
       "the server rejected our request due to an error in our request"},
      {R"([{"op":"replace","path":"","value":[]}])", 422,
       R"( "" is invalid: patch: Invalid value: "[]": couldn't get version/kind; json parse error: )"
       R"(json: cannot unmarshal array into Go value of type struct { APIVersion string )"
       R"("json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.patch);
    auto done = apply_json_patch({{"a", 1}}, parse(c.patch));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, c.code);
    EXPECT_EQ(done.error().message, c.message);
  }
  const boost::json::array many(10'001, parse(R"({"op":"add","path":"/a","value":1})"));
  EXPECT_EQ(apply_json_patch({}, many).error().code, 413);
}

TEST(JsonPatch, NamesMembersThatNoOperationHas) {
  EXPECT_EQ(json_patch_findings(parse(R"([{"op":"test"},{"op":"add","extra":1}])")),
            std::vector<std::string>{"json patch unknown field \"[1].extra\""});
  EXPECT_TRUE(json_patch_findings(parse("{}")).empty());
}

}  // namespace
}  // namespace proxima::apiserver
