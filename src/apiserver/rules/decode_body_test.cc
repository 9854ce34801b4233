// SPDX-License-Identifier: Apache-2.0
// What bodies become and how they are refused. The words are those of kube-apiserver 1.36.4; the
// recording in tests/conformance/api_rules has many more.
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <string>

#include "apiserver/schema.h"

namespace proxima::apiserver::rules {
namespace {

struct BodyRefusal {
  std::string_view name;
  std::string_view body;
  std::string_view message;
};

constexpr std::string_view kUnrecognized =
    "the object provided is unrecognized (must be of type Service): couldn't get version/kind; "
    "json parse error: ";
constexpr std::string_view kUnhandled =
    "Service in version \"v1\" cannot be handled as a Service: ";

std::string message_of(std::string_view body) {
  const auto decoded = decode_body(resource_of(Kind::Service), body, BodyFormat::Json);
  if (!decoded) return decoded.error().message;
  return decoded->findings.empty()
             ? ""
             : strict_decoding_error(resource_of(Kind::Service), decoded->findings).message;
}

// clang-format off
constexpr BodyRefusal kNotJson[] = {
    {"nothing at all",         "",                        "unexpected end of JSON input (<empty>)"},
    {"half an object",         "{",                       "unexpected end of JSON input ({)"},
    {"half a word",            R"({"x":nul})",            R"(invalid character '}' in literal null (expecting 'l') ({"x":nul}))"},
    {"a comma too many",       R"({"a":1,})",             R"(invalid character '}' looking for beginning of object key string ({"a":1,}))"},
    {"text behind it",         "{} x",                    "invalid character 'x' after top-level value ({} x)"},
    {"a comma too few",        R"({"a":1 "b":2})",        R"(invalid character '"' after object key:value pair ({"a":1 "b":2}))"},
    {"a leading zero",         R"({"a":01})",             R"(invalid character '1' after object key:value pair ({"a":01}))"},
    {"an unknown escape",      R"({"a":"\q"})",           R"(invalid character 'q' in string escape code ({"a":"\q"}))"},
    {"a plus sign",            R"({"a":+1})",             R"(invalid character '+' looking for beginning of value ({"a":+1}))"},
    {"a bare key",             "{a:1}",                   "invalid character 'a' looking for beginning of object key string ({a:1})"},
    {"not a number",           R"({"a":NaN})",            R"(invalid character 'N' looking for beginning of value ({"a":NaN}))"},
};

constexpr BodyRefusal kWrong[] = {
    {"a number for an object",  R"({"metadata":3})",                      "json: cannot unmarshal number into Go struct field Service.metadata of type v1.ObjectMeta"},
    {"a number for a label",    R"({"metadata":{"labels":{"a":3}}})",     "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"},
    {"a list for a map",        R"({"metadata":{"labels":[]}})",          "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string"},
    {"a map for a list",        R"({"spec":{"ports":{}}})",               "json: cannot unmarshal object into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort"},
    {"a number in a list",      R"({"spec":{"ports":[3]}})",              "json: cannot unmarshal number into Go struct field ServiceSpec.spec.ports of type v1.ServicePort"},
    {"a text for a number",     R"({"spec":{"ports":[{"port":"80"}]}})",  "json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32"},
    {"a fraction",              R"({"spec":{"ports":[{"port":80.5}]}})",  "json: cannot unmarshal number 80.5 into Go struct field ServicePort.spec.ports.port of type int32"},
    {"a number too large",      R"({"spec":{"ports":[{"port":99999999999}]}})", "json: cannot unmarshal number 99999999999 into Go struct field ServicePort.spec.ports.port of type int32"},
    {"neither text nor number", R"({"spec":{"ports":[{"targetPort":true}]}})",  "json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32"},
    {"a month too many",        R"({"metadata":{"creationTimestamp":"2020-13-01T00:00:00Z"}})", R"(parsing time "2020-13-01T00:00:00Z": month out of range)"},
    {"a date without a time",   R"({"metadata":{"deletionTimestamp":"2020-12-01"}})", R"(parsing time "2020-12-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T")"},
    {"unknown and repeated fields, in the order of the text",
     R"({"bogus":1,"spec":{"bogus":{"a":{}},"ports":[{"port":80,"bogus":1,"port":81}],"Type":"x"},"spec":{}})",
     R"(strict decoding error: unknown field "bogus", unknown field "spec.bogus", unknown field "spec.ports[0].bogus", duplicate field "spec.ports[0].port", unknown field "spec.Type", duplicate field "spec")"},
    {"a label twice",           R"({"metadata":{"labels":{"a":"b","a":"c"}}})", R"(strict decoding error: duplicate field "metadata.labels.a")"},
};
// clang-format on

TEST(DecodeBody, SaysWhatUpstreamSaysOfTextThatIsNoJson) {
  for (const BodyRefusal& row : kNotJson)
    EXPECT_EQ(message_of(row.body), std::string(kUnrecognized).append(row.message)) << row.name;
}

TEST(DecodeBody, SaysWhatUpstreamSaysOfWrongFields) {
  for (const BodyRefusal& row : kWrong)
    EXPECT_EQ(message_of(row.body), std::string(kUnhandled).append(row.message)) << row.name;
}

TEST(DecodeBody, RefusesOtherKindsAndVersions) {
  EXPECT_EQ(message_of(R"({"apiVersion":"v1","kind":"Pod"})"),
            "Pod in version \"v1\" cannot be handled as a Service: converting (v1.Pod) to "
            "(core.Service): unknown conversion");
  EXPECT_EQ(message_of(R"({"apiVersion":"v2","kind":"Service"})"),
            "Service in version \"v2\" cannot be handled as a Service: no kind \"Service\" is "
            "registered for version \"v2\" in scheme \"pkg/runtime/scheme.go:111\"");
  const auto decoded =
      decode_body(resource_of(Kind::Event), R"({"apiVersion":"events.k8s.io/v1","kind":"Event"})",
                  BodyFormat::Json);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().message,
            "the API version in the data (events.k8s.io/v1) does not match the expected API "
            "version (v1)");
}

std::string written(Kind kind, std::string_view body, BodyFormat format = BodyFormat::Json) {
  const auto decoded = decode_body(resource_of(kind), body, format);
  return decoded ? boost::json::serialize(decoded->object) : decoded.error().message;
}

TEST(DecodeBody, WritesWhatUpstreamWrites) {
  EXPECT_EQ(written(Kind::Service, R"({"spec":{"type":"","ports":[]},"metadata":{"name":"a"}})"),
            R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"a"},"spec":{},)"
            R"("status":{"loadBalancer":{}}})");
  EXPECT_EQ(written(Kind::EndpointSlice, R"({"addressType":"IPv4"})"),
            R"({"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{},)"
            R"("addressType":"IPv4","endpoints":null,"ports":null})");
}

TEST(DecodeBody, KeepsFalseAndZeroOnlyWhereTheyDifferFromMissing) {
  const std::string pod = written(
      Kind::Pod,
      R"({"spec":{"hostNetwork":false,"terminationGracePeriodSeconds":0,"containers":null}})");
  EXPECT_EQ(pod.find("hostNetwork"), std::string::npos) << pod;
  EXPECT_NE(pod.find(R"("terminationGracePeriodSeconds":0)"), std::string::npos) << pod;
  EXPECT_NE(pod.find(R"("containers":null)"), std::string::npos) << pod;
}

TEST(DecodeBody, ReadsYaml) {
  EXPECT_EQ(written(Kind::ConfigMap, "metadata:\n  name: a\ndata:\n  k: 'v'\n", BodyFormat::Yaml),
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}})");
}

TEST(DecodeBody, RefusesWhatNestsTooDeep) {
  const std::string deep(100'000, '[');
  EXPECT_FALSE(decode_body(resource_of(Kind::Pod), deep, BodyFormat::Json).has_value());
  std::string closed = "{\"a\":" + std::string(500, '[') + std::string(500, ']') + "}";
  const auto decoded = decode_body(resource_of(Kind::Pod), closed, BodyFormat::Json);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_NE(decoded.error().message.find("exceeded max depth"), std::string::npos);
}

TEST(DecodeBody, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(written(Kind::ConfigMap, "{\"metadata\":{\"name\":\"a\xff\"}}"),
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\xEF\xBF\xBD"
            "\"}}");
}

}  // namespace
}  // namespace proxima::apiserver::rules
