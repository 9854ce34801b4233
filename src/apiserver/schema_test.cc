// SPDX-License-Identifier: Apache-2.0
#include "apiserver/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "apiserver/schema_text.h"

namespace proxima::apiserver {
namespace {

const TypeInfo& core(std::string_view name) {
  const TypeInfo* const type = find_type("io.k8s.api.core.v1." + std::string(name));
  EXPECT_NE(type, nullptr) << name;
  return *type;
}

TEST(Schema, KnowsTheTypeOfEveryServedKind) {
  for (const ResourceType& resource : served_resources()) {
    const TypeInfo& type = type_of(resource);
    EXPECT_TRUE(type.name.ends_with(std::string(".") + std::string(resource.name))) << type.name;
    EXPECT_NE(type.find("metadata"), nullptr) << type.name;
    EXPECT_NE(find_type(std::string(type.name) + "List"), nullptr) << type.name;
  }
}

TEST(Schema, KeepsTheTwoKindsOfEventApart) {
  EXPECT_EQ(type_of(resource_of(Kind::Event)).name, "io.k8s.api.core.v1.Event");
  EXPECT_EQ(type_of(resource_of(Kind::EventsV1)).name, "io.k8s.api.events.v1.Event");
}

TEST(Schema, HasTheMergeKeyOfServicePorts) {
  const FieldInfo* const ports = core("ServiceSpec").find("ports");
  ASSERT_NE(ports, nullptr);
  EXPECT_EQ(ports->shape, FieldShape::List);
  EXPECT_EQ(ports->patch, PatchStrategy::Merge);
  EXPECT_EQ(ports->merge_key, "port");
  EXPECT_EQ(ports->list_keys, (std::vector<std::string_view>{"port", "protocol"}));
  ASSERT_NE(ports->type, nullptr);
  EXPECT_EQ(ports->type->name, "io.k8s.api.core.v1.ServicePort");
}

TEST(Schema, HasTheFieldsThatUpstreamHasNoLonger) {
  const FieldInfo* const keys = core("ServiceSpec").find("topologyKeys");
  ASSERT_NE(keys, nullptr);
  EXPECT_EQ(keys->shape, FieldShape::List);
  EXPECT_EQ(keys->type_name, "string");
  EXPECT_NE(core("ServiceSpec").find("trafficPolicy"), nullptr);
}

TEST(Schema, TellsPointersFromPlainFields) {
  EXPECT_TRUE(core("PodSpec").find("terminationGracePeriodSeconds")->pointer);
  EXPECT_FALSE(core("PodSpec").find("hostNetwork")->pointer);
  EXPECT_TRUE(core("ContainerPort").find("containerPort")->required);
}

TEST(Schema, SortsTypesAndFieldsByName) {
  const auto types = all_types();
  EXPECT_TRUE(std::is_sorted(types.begin(), types.end(),
                             [](const auto* a, const auto* b) { return a->name < b->name; }));
  for (const TypeInfo* type : types)
    EXPECT_TRUE(std::is_sorted(type->fields.begin(), type->fields.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST(Schema, SaysSomethingAboutEveryServedKind) {
  for (const ResourceType& resource : served_resources())
    EXPECT_FALSE(type_of(resource).description.empty()) << resource.name;
}

struct BadText {
  std::string_view text;
  std::string_view says;
};

TEST(SchemaText, RefusesWhatItDoesNotUnderstand) {
  const BadText rows[] = {
      {" name string\n", "line 1: a field before any type"},
      {"T v1.T\n name string sometimes\n", "line 2: field: unknown word sometimes"},
      {"T v1.T\n name Other\n", "unknown type Other"},
  };
  for (const BadText& row : rows) {
    const auto parsed = parse_schema(row.text);
    ASSERT_FALSE(parsed.has_value()) << row.text;
    EXPECT_NE(parsed.error().message.find(row.says), std::string::npos) << parsed.error().message;
  }
}

TEST(SchemaText, RefusesSentencesAboutNothing) {
  auto types = parse_schema("T v1.T\n name string\n");
  ASSERT_TRUE(types.has_value());
  EXPECT_TRUE(add_sentences(*types, "T A type.\n name Its name.\n").has_value());
  EXPECT_EQ(types->front().find("name")->description, "Its name.");
  EXPECT_FALSE(add_sentences(*types, "U Another.\n").has_value());
  EXPECT_FALSE(add_sentences(*types, "T A type.\n age Its age.\n").has_value());
}

}  // namespace
}  // namespace proxima::apiserver
