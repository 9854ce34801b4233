// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/patch.h"

namespace proxima::apiserver {
namespace {

// The patched object, or the refusal: "400 …".
std::string patched(Kind kind, const char* object, const char* patch) {
  auto done =
      apply_strategic_patch(type_of(resource_of(kind)), boost::json::parse(object).as_object(),
                            boost::json::parse(patch));
  if (done) return boost::json::serialize(*done);
  return std::to_string(done.error().code) + " " + done.error().message;
}

TEST(StrategicPatch, FollowsTheTypeAndItsDirectives) {
  const struct {
    const char* name;
    Kind kind;
    const char* object;
    const char* patch;
    const char* expected;
  } cases[] = {
      {"ports merge by number", Kind::Service, R"({"spec":{"ports":[{"port":80},{"port":443}]}})",
       R"({"spec":{"ports":[{"port":443,"name":"tls"}]}})",
       R"({"spec":{"ports":[{"port":80},{"port":443,"name":"tls"}]}})"},
      {"what is new comes first", Kind::Service, R"({"spec":{"ports":[{"port":80}]}})",
       R"({"spec":{"ports":[{"port":443}]}})", R"({"spec":{"ports":[{"port":443},{"port":80}]}})"},
      {"unless an order is given", Kind::Service, R"({"spec":{"ports":[{"port":80}]}})",
       R"({"spec":{"ports":[{"port":443}],"$setElementOrder/ports":[{"port":80},{"port":443}]}})",
       R"({"spec":{"ports":[{"port":80},{"port":443}]}})"},
      {"items are deleted by key", Kind::Service,
       R"({"spec":{"ports":[{"port":80},{"port":443}]}})",
       R"({"spec":{"ports":[{"port":80,"$patch":"delete"}]}})",
       R"({"spec":{"ports":[{"port":443}]}})"},
      {"a list is replaced on demand", Kind::Service, R"({"spec":{"ports":[{"port":80}]}})",
       R"({"spec":{"ports":[{"$patch":"replace"},{"port":1}]}})",
       R"({"spec":{"ports":[{"port":1}]}})"},
      {"lists without a strategy are replaced", Kind::Service, R"({"spec":{"externalIPs":["a"]}})",
       R"({"spec":{"externalIPs":["b"]}})", R"({"spec":{"externalIPs":["b"]}})"},
      {"finalizers merge as a set", Kind::Pod, R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"finalizers":["b","c"]}})", R"({"metadata":{"finalizers":["a","b","c"]}})"},
      {"and are taken out by name", Kind::Pod, R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})",
       R"({"metadata":{"finalizers":["b"]}})"},
      {"null erases", Kind::Pod, R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
       R"({"metadata":{"labels":{"a":null}}})", R"({"metadata":{"labels":{"b":"2"}}})"},
      {"a map is replaced on demand", Kind::Pod, R"({"metadata":{"labels":{"a":"1"}}})",
       R"({"metadata":{"labels":{"$patch":"replace","b":"2"}}})",
       R"({"metadata":{"labels":{"b":"2"}}})"},
      {"a volume keeps one source", Kind::Pod,
       R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
       R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name","hostPath"],"hostPath":{"path":"/"}}]}})",
       R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/"}}]}})"},
      {"retained keys must name what comes", Kind::Pod, R"({"spec":{}})",
       R"({"spec":{"$retainKeys":["a"],"nodeName":"b"}})",
       "400 invalid patch format of retainKeys"},
      {"an unknown directive", Kind::Pod, R"({"metadata":{"labels":{}}})",
       R"({"metadata":{"labels":{"$patch":"bogus"}}})",
       "500 unknown patch type: bogus in map: map[$patch:bogus]"},
      {"an item without its key", Kind::Service, R"({"spec":{"ports":[{"port":80}]}})",
       R"({"spec":{"ports":[{"name":"x"}]}})",
       "500 map: map[name:x] does not contain declared merge key: port"},
      {"no object", Kind::Pod, "{}", "[]",
       "400 json: cannot unmarshal array into Go value of type map[string]interface {}"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(patched(c.kind, c.object, c.patch), c.expected);
  }
}

}  // namespace
}  // namespace proxima::apiserver
