// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/patch.h"

namespace proxima::apiserver {
namespace {

TEST(MergePatch, FollowsTheRfcAndUpstream) {
  const struct {
    const char* name;
    const char* object;
    const char* patch;
    const char* expected;
  } cases[] = {
      {"changes and adds", R"({"a":1})", R"({"a":2,"b":3})", R"({"a":2,"b":3})"},
      {"null erases", R"({"a":1,"b":2})", R"({"a":null,"c":null})", R"({"b":2})"},
      {"objects merge", R"({"a":{"b":1}})", R"({"a":{"c":2}})", R"({"a":{"b":1,"c":2}})"},
      {"lists are replaced", R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
      {"an object replaces text", R"({"a":"x"})", R"({"a":{"b":null,"c":1}})", R"({"a":{"c":1}})"},
      {"nulls go from what is added", R"({})", R"({"a":{"b":null,"c":{"d":null}}})",
       R"({"a":{"c":{}}})"},
      {"from objects in lists as well", R"({})", R"({"a":[{"b":null},null]})",
       R"({"a":[{},null]})"},
      {"but not from a list that replaces an object", R"({"a":{}})", R"({"a":[{"b":null}]})",
       R"({"a":[{"b":null}]})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto done =
        apply_merge_patch(boost::json::parse(c.object).as_object(), boost::json::parse(c.patch));
    ASSERT_TRUE(done);
    EXPECT_EQ(boost::json::serialize(*done), c.expected);
  }
}

TEST(MergePatch, MustBeAnObject) {
  EXPECT_EQ(apply_merge_patch({}, nullptr).error().message, "Invalid JSON Patch");
  EXPECT_EQ(apply_merge_patch({}, boost::json::array()).error().message,
            "error decoding patch: json: cannot unmarshal array into Go value of type "
            "map[string]interface {}");
}

}  // namespace
}  // namespace proxima::apiserver
