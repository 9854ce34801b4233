// SPDX-License-Identifier: Apache-2.0
#include "conformance/answer_line.h"

#include <gtest/gtest.h>

namespace proxima::conformance {
namespace {

std::string answer(std::string_view kind, std::string_view line, const Options& options = {}) {
  return Kind::parse(kind)->answer(line, options);
}

TEST(ConformanceAnswers, HaveTheNameAndTheShapeOfTheRecordedCases) {
  const struct {
    const char* kind;
    const char* question;
    const char* answer;
  } cases[] = {
      {"topology-keys",
       R"({"name":"n","nodeLabels":{"z":"1"},"topologyKeys":["z"],
           "endpoints":[{"endpoint":"a","topology":{"z":"1"}},{"endpoint":"b"}],"chosen":["b"]})",
       R"({"name":"n","chosen":["a"]})"},
      {"topology-keys", R"({"name":"nothing said"})", R"({"name":"nothing said","chosen":[]})"},
      {"categorize",
       R"({"name":"n","endpoints":[{"endpoint":"a:1"},{"endpoint":"b:1","ready":false}]})",
       R"({"name":"n","usesClusterEndpoints":true,"usesLocalEndpoints":false,)"
       R"("clusterEndpoints":["a:1"],"localEndpoints":[],"allReachableEndpoints":["a:1"],)"
       R"("hasAnyEndpoints":true})"},
      {"hints",
       R"({"name":"n","nodes":[{"zone":"a","allocatableCpu":"1","ready":true},
           {"zone":"b","allocatableCpu":"1","ready":true}],"slices":[{"name":"s","state":"create",
           "endpoints":[{"zone":"a","ready":true},{"zone":"a","ready":true},{"zone":"a"}]}]})",
       R"({"name":"n","hintsSet":true,"eventReason":"TopologyAwareHintsEnabled",)"
       R"("eventMessage":"Topology Aware Hints has been enabled",)"
       R"("endpointsHintedToZone":{"a":1,"b":1},"endpointsHintedAway":1,"slicesWritten":["s"]})"},
      {"balanced",
       R"({"name":"n","demand":{"a":0.75,"b":0.25},"endpoints":[{"zone":"a"},{"zone":"b"}],
           "overload":0})",
       R"({"name":"n","split":{"a":{"a":5E-1,"b":2.5E-1},"b":{"a":0E0,"b":2.5E-1}},)"
       R"("localShare":7.5E-1,"worstOverload":0E0,"cost":2.5E-1})"},
      {"hints", R"({"name":"n"})",
       R"({"name":"n","hintsSet":false,"eventReason":"TopologyAwareHintsDisabled",)"
       R"("eventMessage":"Insufficient Node information: allocatable CPU or zone not specified )"
       R"(on one or more nodes","endpointsHintedAway":0,"slicesWritten":[]})"},
  };
  for (const auto& c : cases) EXPECT_EQ(answer(c.kind, c.question), c.answer);
}

TEST(ConformanceAnswers, SayWhatCouldNotBeRead) {
  const struct {
    const char* kind;
    const char* question;
    const char* answer;
  } cases[] = {
      // clang-format off
      {"hints",         "[1]",                                  R"({"name":null,"error":"not a JSON object"})"},
      {"categorize",    R"({"name":7,"endpoints":7})",          R"({"name":null,"error":"endpoints: not a list"})"},
      {"categorize",    R"({"name":"n","endpoints":[7]})",      R"({"name":"n","error":"endpoints: not an object"})"},
      {"categorize",    R"({"name":"n","node":7})",             R"({"name":"n","error":"node: not a text"})"},
      {"categorize",    R"({"name":"n","endpoints":[{"ready":"yes"}]})",
                        R"({"name":"n","error":"ready: neither true nor false"})"},
      {"topology-keys", R"({"name":"n","topologyKeys":[7]})",   R"({"name":"n","error":"topologyKeys: not a text"})"},
      {"topology-keys", R"({"name":"n","nodeLabels":[]})",      R"({"name":"n","error":"nodeLabels: not an object"})"},
      {"hints",         R"({"name":"n","slices":[{"state":"gone"}]})",
                        R"({"name":"n","error":"hints: state: none of create, update, unchanged"})"},
      // clang-format on
  };
  for (const auto& c : cases) EXPECT_EQ(answer(c.kind, c.question), c.answer);
  EXPECT_NE(answer("hints", "{").find(R"({"name":null,"error":"not JSON)"), std::string::npos);
}

TEST(ConformanceAnswers, RefuseQuantitiesThatAreNone) {
  const std::string got =
      answer("hints", R"({"name":"n","nodes":[{"zone":"a","allocatableCpu":"two"}]})");
  EXPECT_NE(got.find(R"("error":"hints: allocatableCpu: )"), std::string::npos) << got;
}

TEST(ConformanceAnswers, FollowTheThresholdToStart) {
  // Three endpoints in two equal zones: one zone would carry a third more than its share.
  constexpr std::string_view kQuestion =
      R"({"name":"n","nodes":[{"zone":"a","allocatableCpu":"1","ready":true},
          {"zone":"b","allocatableCpu":"1","ready":true}],"slices":[{"name":"s","state":"create",
          "endpoints":[{"zone":"a","ready":true},{"zone":"a","ready":true},
          {"zone":"b","ready":true}]}]})";
  Options lenient;
  lenient.auto_options.start_below = 0.5;
  EXPECT_NE(answer("hints", kQuestion).find(R"("hintsSet":false)"), std::string::npos);
  EXPECT_NE(answer("hints", kQuestion, lenient).find(R"("hintsSet":true)"), std::string::npos);
}

TEST(ConformanceKinds, AreKnownByName) {
  for (const std::string_view name : Kind::names()) EXPECT_TRUE(Kind::parse(name)) << name;
  EXPECT_FALSE(Kind::parse("hint"));
  EXPECT_FALSE(Kind::parse(""));
}

}  // namespace
}  // namespace proxima::conformance
