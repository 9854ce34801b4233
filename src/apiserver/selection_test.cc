// SPDX-License-Identifier: Apache-2.0
#include "apiserver/selection.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace proxima::apiserver {
namespace {

boost::json::object object_of(std::string_view text) {
  return boost::json::parse(boost::json::string_view(text.data(), text.size())).as_object();
}

constexpr std::string_view kPod =
    R"({"metadata":{"name":"a","namespace":"n","labels":{"app":"web"}},
  "spec":{"nodeName":"n1"},"status":{"phase":"Running","podIPs":[{"ip":"10.0.0.1"}]}})";
constexpr std::string_view kCoreEvent = R"({"metadata":{"name":"e","namespace":"n"},
  "involvedObject":{"kind":"Pod","name":"a"},"source":{"component":"kubelet"},"reason":"Killing"})";

TEST(Selection, FindsByLabelsAndFields) {
  const struct {
    const char* name;
    Kind kind;
    std::string_view object;
    const char* labels;
    const char* fields;
    bool selected;
  } cases[] = {
      {"nothing asked", Kind::Pod, kPod, "", "", true},
      {"by label", Kind::Pod, kPod, "app in (web,db)", "", true},
      {"by another label", Kind::Pod, kPod, "app=db", "", false},
      {"by node", Kind::Pod, kPod, "", "spec.nodeName=n1", true},
      {"by the old name of the node", Kind::Pod, kPod, "", "spec.host==n1", true},
      {"not on that node", Kind::Pod, kPod, "", "spec.nodeName!=n1", false},
      {"by address", Kind::Pod, kPod, "", "status.podIP=10.0.0.1", true},
      {"the list of addresses has no value", Kind::Pod, kPod, "", "status.podIPs=10.0.0.1", false},
      {"an unset boolean is false", Kind::Pod, kPod, "", "spec.hostNetwork=false", true},
      {"all must hold", Kind::Pod, kPod, "app", "metadata.name=a,status.phase!=Running", false},
      {"empty terms count for nothing", Kind::Pod, kPod, "", ",metadata.name=a,", true},
      {"an absent field is empty", Kind::Pod, kPod, "", "status.nominatedNodeName=", true},
      {"an event by its object", Kind::Event, kCoreEvent, "", "involvedObject.name=a", true},
      {"an event in the other group", Kind::EventsV1, kCoreEvent, "", "regarding.name=a", true},
      {"an event by its source", Kind::Event, kCoreEvent, "", "source=kubelet", true},
      {"an escaped comma", Kind::ConfigMap, kPod, "", "metadata.name!=a\\,b", true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto selection = Selection::parse(resource_of(c.kind), c.labels, c.fields);
    ASSERT_TRUE(selection);
    EXPECT_EQ(selection->matches(object_of(c.object)), c.selected);
  }
}

TEST(Selection, RefusesFieldsInUpstreamsWords) {
  const struct {
    Kind kind;
    const char* fields;
    const char* message;
  } cases[] = {
      {Kind::Pod, "spec.bogus=1", "field label not supported: spec.bogus"},
      {Kind::Node, "metadata.namespace=b", "field label not supported: metadata.namespace"},
      {Kind::EventsV1, "involvedObject.name=b", "field label not supported: involvedObject.name"},
      {Kind::ConfigMap, "spec.bogus=1",
       R"("spec.bogus" is not a known field selector: only "metadata.name", "metadata.namespace")"},
      {Kind::ConfigMap, "x", "invalid selector: 'x'; can't understand 'x'"},
      {Kind::ConfigMap, "metadata.name=a\\b",
       "invalid field selector: invalid escape sequence: \\b"},
      {Kind::ConfigMap, "metadata.name=a\\", "invalid field selector: invalid escape sequence: \\"},
      {Kind::ConfigMap, "metadata.name=a=b",
       "invalid field selector: unescaped character in value: 61"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.fields);
    auto selection = Selection::parse(resource_of(c.kind), "", c.fields);
    ASSERT_FALSE(selection);
    EXPECT_EQ(selection.error().code, 400);
    EXPECT_EQ(selection.error().message, c.message);
  }
}

TEST(Selection, KnowsTheOnlyNameThatCanMatch) {
  const ResourceType& pods = resource_of(Kind::Pod);
  EXPECT_EQ(Selection::parse(pods, "", "metadata.name=a")->single_name(), "a");
  EXPECT_EQ(Selection::parse(pods, "", "metadata.name!=a")->single_name(), std::nullopt);
  EXPECT_TRUE(Selection().everything());
  EXPECT_FALSE(Selection::parse(pods, "a", "")->everything());
}

}  // namespace
}  // namespace proxima::apiserver
