// SPDX-License-Identifier: Apache-2.0
#include "sysdump/object_file.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/json.hpp>
#include <functional>
#include <vector>

namespace proxima::sysdump {
namespace {

namespace json = boost::json;

// The object as the file has it, without its apiVersion and kind.
std::string reduced(std::string_view plural, std::string_view object) {
  ObjectFile file(allowed_kind(plural));
  const Status added = file.add_object(object);
  if (!added) return "error: " + added.error().message;
  json::array items = json::parse(std::move(file).finish()).at("items").as_array();
  if (items.empty()) return "left out";
  json::object& item = items[0].as_object();
  item.stable_erase("apiVersion");
  item.stable_erase("kind");
  return json::serialize(item);
}

TEST(ObjectFile, IsAListWithAnObjectALine) {
  ObjectFile file(allowed_kind("endpointslices"));
  ASSERT_TRUE(file.add_list(
      R"({"kind":"EndpointSliceList","items":[{"metadata":{"name":"a"}},7,{"addressType":"IPv4"}]})"));
  ASSERT_TRUE(file.add_object(R"({"metadata":{"name":"c"}})"));
  EXPECT_EQ(file.objects(), 3U);
  EXPECT_EQ(
      std::move(file).finish(),
      "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n"
      R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"a"}},)"
      "\n"
      R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4"},)"
      "\n"
      R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"c"}})"
      "\n]}\n");
}

TEST(ObjectFile, RefusesWhatIsNoList) {
  for (const char* text : {"", "[]", "{}", R"({"items":7})", R"({"items":[{}])"}) {
    ObjectFile file(allowed_kind("pods"));
    EXPECT_FALSE(file.add_list(text)) << text;
    EXPECT_EQ(file.objects(), 0U) << text;
  }
  ObjectFile file(allowed_kind("pods"));
  EXPECT_TRUE(file.add_list(R"({"items":null})"));
  EXPECT_FALSE(file.add_object("[]"));
}

struct ReductionRow {
  const char* what;
  const char* plural;
  const char* object;
  const char* left;
};

class Reduction : public ::testing::TestWithParam<ReductionRow> {};

TEST_P(Reduction, LeavesAllowedFieldsAlone) {
  const ReductionRow& row = GetParam();
  EXPECT_EQ(reduced(row.plural, row.object), row.left) << row.what;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Reduction,
    ::testing::Values(
        ReductionRow{
            "environment, arguments, images and volumes of containers", "pods",
            R"({"spec":{"containers":[{"name":"web","image":"shop/web:1","args":["-p=s3"],)"
            R"("command":["sh"],"env":[{"name":"TOKEN","value":"s3"}],)"
            R"("envFrom":[{"secretRef":{"name":"s3"}}],)"
            R"("volumeMounts":[{"mountPath":"/s3"}],)"
            R"("ports":[{"name":"http","containerPort":80,"hostIP":"10.0.0.9"}]}],)"
            R"("volumes":[{"secret":{"secretName":"s3"}}],"nodeName":"n1",)"
            R"("serviceAccountName":"s3","imagePullSecrets":[{"name":"s3"}]}})",
            R"({"spec":{"nodeName":"n1","containers":)"
            R"([{"ports":[{"name":"http","containerPort":80}]}]}})"},
        ReductionRow{"annotations of others, and managed fields", "services",
                     R"({"metadata":{"name":"cart","annotations":{"proxima.io/policy":"auto",)"
                     R"("kubectl.kubernetes.io/last-applied-configuration":"{\"s3\":1}",)"
                     R"("proxima.io/unknown":"s3"},"managedFields":[{"fieldsV1":{"s3":{}}}]}})",
                     R"({"metadata":{"name":"cart","annotations":{"proxima.io/policy":"auto"}}})"},
        ReductionRow{"all labels", "nodes",
                     R"({"metadata":{"name":"n","labels":{"a":"1","b":"2","c":3,"d":{"e":"s3"}}}})",
                     R"({"metadata":{"name":"n","labels":{"a":"1","b":"2"}}})"},
        ReductionRow{"a value of another type than the field has", "services",
                     R"({"metadata":{"name":{"s3":1}},"spec":{"type":["s3"],"selector":"s3",)"
                     R"("ports":{"s3":1},"externalIPs":[{"s3":1},"1.2.3.4"],"clusterIP":null}})",
                     R"({"metadata":{},"spec":{"externalIPs":["1.2.3.4"]}})"},
        ReductionRow{"every kind of number", "services",
                     R"({"spec":{"ports":[{"port":80,"targetPort":"http"},{"port":-1},)"
                     R"({"port":18446744073709551615},{"port":1.5},{"port":true},)"
                     R"({"port":100000000000000000000.5}]}})",
                     R"({"spec":{"ports":[{"port":80,"targetPort":"http"},{"port":-1},)"
                     R"({"port":18446744073709551615},{"port":1.5E0},{"port":true},)"
                     R"({"port":1E20}]}})"},
        ReductionRow{"that something is there, but empty", "services",
                     R"({"spec":{"selector":{},"topologyKeys":[]}})",
                     R"({"spec":{"selector":{},"topologyKeys":[]}})"},
        ReductionRow{"the first of a key that comes twice", "pods",
                     R"({"spec":{"nodeName":"n1","nodeName":"n2"}})",
                     R"({"spec":{"nodeName":"n1"}})"},
        ReductionRow{"messages of conditions", "services",
                     R"({"status":{"conditions":[{"type":"T","status":"True","reason":"R",)"
                     R"("message":"s3"}]}})",
                     R"({"status":{"conditions":[{"type":"T","status":"True","reason":"R"}]}})"},
        ReductionRow{"images and system information of a node", "nodes",
                     R"({"spec":{"providerID":"s3","taints":[{"key":"k","value":"s3"}]},)"
                     R"("status":{"images":[{"names":["s3"]}],"nodeInfo":{"machineID":"s3"},)"
                     R"("allocatable":{"cpu":"4","memory":"1Gi"}}})",
                     R"({"spec":{"taints":[{"key":"k"}]},"status":{"allocatable":{"cpu":"4"}}})"},
        ReductionRow{"labels of a namespace", "namespaces",
                     R"({"metadata":{"name":"shop","labels":{"team":"s3"}}})",
                     R"({"metadata":{"name":"shop"}})"},
        ReductionRow{"an Event of the controller", "events",
                     R"({"reason":"R","message":"m","source":{"component":)"
                     R"("endpoint-slice-controller","host":"s3"}})",
                     R"({"reason":"R","message":"m","source":{"component":)"
                     R"("endpoint-slice-controller"}})"},
        ReductionRow{"an Event of somebody else", "events",
                     R"({"reason":"R","message":"s3","source":{"component":"kubelet"}})",
                     "left out"},
        ReductionRow{"an Event of nobody", "events", R"({"message":"s3"})", "left out"}),
    [](const auto& row) { return "Row" + std::to_string(row.index); });

// A value after what is in it, so that what is added on the way is not visited.
void visit(json::value& value, const std::function<void(json::value&)>& each) {
  if (value.is_object())
    for (auto& member : value.get_object()) visit(member.value(), each);
  if (value.is_array())
    for (json::value& item : value.get_array()) visit(item, each);
  each(value);
}

// An object of the kind with every field of the table, made from the table.
json::object full_object(const AllowedKind& kind) {
  json::object top;
  for (const AllowedField& field : kind.fields) {
    json::object* at = &top;
    for (std::string_view rest = field.path; !rest.empty();) {
      const std::size_t dot = rest.find('.');
      std::string_view name = rest.substr(0, dot);
      rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
      const bool is_list = name.ends_with("[]");
      if (is_list) name.remove_suffix(2);
      json::value& value = (*at)[name];
      json::value* inner = &value;
      if (is_list) {
        if (!value.is_array()) value = json::array{nullptr};
        inner = &value.get_array()[0];
      }
      if (!rest.empty() || field.take != Take::Value) {
        if (!inner->is_object()) *inner = json::object();
        at = &inner->get_object();
      } else {
        *inner = "allowed";
      }
    }
    if (field.take == Take::Texts) (*at)["any"] = "allowed";
    if (field.take == Take::Annotations)
      for (const std::string_view key : allowed_annotations()) (*at)[key] = "allowed";
  }
  if (!kind.sources.empty()) top["reportingComponent"] = kind.sources[0];
  return top;
}

// Into every object members that nobody allowed, and into every list an item of another shape.
constexpr const char* kSecret = "s3cr3t";
void plant_secrets(json::object& top) {
  json::value value = std::move(top);
  visit(value, [](json::value& at) {
    if (!at.is_object()) return;
    json::object& object = at.get_object();
    object["env"] = json::array{json::object{{"name", "TOKEN"}, {"value", kSecret}}};
    object["args"] = json::array{kSecret};
    object["token"] = json::object{{"value", kSecret}};
    object["managedFields"] = json::array{json::object{{"fieldsV1", kSecret}}};
    object["kubectl.kubernetes.io/last-applied-configuration"] = json::object{{"a", kSecret}};
  });
  visit(value, [](json::value& at) {
    if (at.is_array()) at.get_array().push_back(json::array{kSecret});
  });
  top = std::move(value.get_object());
}

TEST(ObjectFile, EveryFieldOfTheTableStaysAndNoPlantedSecretDoes) {
  for (const AllowedKind& kind : allowed_kinds()) {
    SCOPED_TRACE(kind.kind);
    const json::object full = full_object(kind);
    json::object planted = full;
    plant_secrets(planted);
    ASSERT_NE(json::serialize(planted).find(kSecret), std::string::npos);
    const std::string left = reduced(kind.plural, json::serialize(planted));
    EXPECT_EQ(left.find(kSecret), std::string::npos) << left;
    EXPECT_EQ(json::parse(left), json::value(full));
  }
}

TEST(ObjectFile, WhatIsLeftLosesNothingMore) {
  for (const AllowedKind& kind : allowed_kinds()) {
    const std::string once = reduced(kind.plural, json::serialize(full_object(kind)));
    EXPECT_EQ(reduced(kind.plural, once), once) << kind.kind;
  }
}

}  // namespace
}  // namespace proxima::sysdump
