// SPDX-License-Identifier: Apache-2.0
// Bodies as kubectl 1.36 sent them.
#include "apiserver/protobuf_body.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/schema.h"
#include "base/split_mix.h"

namespace proxima::apiserver {
namespace {

std::string bytes_of(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

constexpr std::string_view kConfigMap =
    "6b3873000a0f0a0276311209436f6e6669674d617012250a130a03636d3112001a0022002a003200380042001206"
    "0a016112016212060a01631201641a002200";
constexpr std::string_view kBinaryConfigMap =
    "6b3873000a0f0a0276311209436f6e6669674d617012240a130a03636d3212001a0022002a003200380042001a0d"
    "0a0762696e2e6461741202ff001a002200";
constexpr std::string_view kNodePort =
    "6b3873000a0d0a027631120753657276696365126a0a1d0a02733112001a0022002a003200380042005a090a0361"
    "70701202733112450a200a0738302d6874747012035443501850220a080110001a046874747028b1ea0112090a03"
    "617070120273311a0022084e6f6465506f72743a00420052005a00600068001a020a001a002200";
constexpr std::string_view kClusterIp =
    "6b3873000a0d0a02763112075365727669636512610a1d0a02733212001a0022002a003200380042005a090a0361"
    "707012027332123c0a160a03352d36120354435018052206080010061a00280012090a03617070120273321a0022"
    "09436c757374657249503a00420052005a00600068001a020a001a002200";

// As it is once the decoder has dropped what is empty.
std::string decoded(Kind kind, std::string_view hex) {
  const ResourceType& type = resource_of(kind);
  const auto text = protobuf_to_json(type, bytes_of(hex));
  if (!text) return text.error().message;
  const auto object = decode_body(type, *text, BodyFormat::Json);
  if (!object) return object.error().message;
  EXPECT_TRUE(object->findings.empty());
  return boost::json::serialize(object->object);
}

TEST(ProtobufBody, SaysWhatTheClientMeant) {
  EXPECT_EQ(decoded(Kind::ConfigMap, kConfigMap),
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"cm1"},)"
            R"("data":{"a":"b","c":"d"}})");
  EXPECT_EQ(decoded(Kind::ConfigMap, kBinaryConfigMap),
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"cm2"},)"
            R"("binaryData":{"bin.dat":"/wA="}})");
  EXPECT_EQ(decoded(Kind::Service, kNodePort),
            R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"s1","labels":{"app":"s1"}},)"
            R"("spec":{"ports":[{"name":"80-http","protocol":"TCP","port":80,"targetPort":"http",)"
            R"("nodePort":30001}],"selector":{"app":"s1"},"type":"NodePort"},)"
            R"("status":{"loadBalancer":{}}})");
  EXPECT_EQ(decoded(Kind::Service, kClusterIp),
            R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"s2","labels":{"app":"s2"}},)"
            R"("spec":{"ports":[{"name":"5-6","protocol":"TCP","port":5,"targetPort":6}],)"
            R"("selector":{"app":"s2"},"type":"ClusterIP"},"status":{"loadBalancer":{}}})");
}

TEST(ProtobufBody, EmbeddedStructsBelongToTheTypeAroundThem) {
  // Pod{spec: {volumes: [{name: "v", volumeSource: {emptyDir: {}}}]}}
  const std::string volume = bytes_of(
      "0a0176"
      "1202"
      "1200");
  const std::string spec = std::string("\x0a\x07", 2) + volume;
  const std::string raw = std::string("\x12\x09", 2) + spec;
  const std::string body = std::string("k8s\0", 4) + "\x12" + static_cast<char>(raw.size()) + raw;
  const auto text = protobuf_to_json(resource_of(Kind::Pod), body);
  ASSERT_TRUE(text);
  const auto object = boost::json::parse(*text).as_object();
  EXPECT_EQ(boost::json::serialize(object.at("spec")),
            R"({"volumes":[{"name":"v","emptyDir":{}}]})");
  EXPECT_EQ(object.at("kind").as_string(), "Pod");
}

TEST(ProtobufBody, RefusesWhatIsCutOffOrNoneAtAll) {
  EXPECT_EQ(protobuf_to_json(resource_of(Kind::Pod), "{}").error().code, 400);
  EXPECT_EQ(protobuf_to_json(resource_of(Kind::Pod), "").error().code, 400);
  const std::string whole = bytes_of(kNodePort);
  for (std::size_t size = 0; size < whole.size(); ++size)
    static_cast<void>(protobuf_to_json(resource_of(Kind::Service), whole.substr(0, size)));
  // Deeper than any object: conditions of conditions cannot be, but bytes can say anything.
  SplitMix random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string broken = whole;
    for (int i = 0; i < 3; ++i)
      broken[4 + random.below(broken.size() - 4)] = static_cast<char>(random.below(256));
    for (const Kind kind : {Kind::Service, Kind::Pod, Kind::Node, Kind::EndpointSlice})
      static_cast<void>(protobuf_to_json(resource_of(kind), broken));
  }
}

TEST(ProtobufBody, KnowsEveryServedKind) {
  for (const ResourceType& type : served_resources()) {
    const auto text = protobuf_to_json(type, std::string("k8s\0", 4));
    ASSERT_TRUE(text) << type.name;
    EXPECT_EQ(boost::json::parse(*text).as_object().at("kind").as_string(), std::string(type.name));
  }
  EXPECT_TRUE(protobuf_delete_options_to_json(std::string("k8s\0", 4)));
}

}  // namespace
}  // namespace proxima::apiserver
