// SPDX-License-Identifier: Apache-2.0
// spec.topologyKeys by the rules of Kubernetes 1.17 to 1.21, and spec.trafficPolicy beside it.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string>

#include "apiserver/rules/service_parts.h"

namespace proxima::apiserver::rules {
namespace {

// What is wrong, one error a line.
std::string faults(std::string_view spec) {
  FieldErrors errors;
  check_topology_fields(errors, JsonFields{{"spec", boost::json::parse(spec)}});
  std::string out;
  for (const FieldError& error : errors.take()) out += (out.empty() ? "" : "\n") + to_text(error);
  return out;
}

std::string keys(std::size_t count) {
  std::string out = R"({"topologyKeys":[)";
  for (std::size_t i = 0; i < count; ++i)
    out += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\"";
  return out + "]}";
}

TEST(TopologyFields, PassWhatWasValid) {
  for (const std::string_view spec :
       {R"({})", R"({"topologyKeys":[]})", R"({"topologyKeys":["*"]})",
        R"({"topologyKeys":["kubernetes.io/hostname","topology.kubernetes.io/zone","*"]})",
        R"({"topologyKeys":["Example.Key_1"]})",
        R"({"topologyKeys":[],"externalTrafficPolicy":"Local"})",
        R"({"trafficPolicy":"PreferZone"})", R"({"trafficPolicy":"Cluster","topologyKeys":["a"]})"})
    EXPECT_EQ(faults(spec), "") << spec;
  EXPECT_EQ(faults(keys(16)), "");
}

TEST(TopologyFields, RefuseWhatWasNot) {
  EXPECT_EQ(faults(keys(17)), "spec.topologyKeys: Too many: 17: must have at most 16 items");
  EXPECT_EQ(
      faults(R"({"topologyKeys":["a"],"externalTrafficPolicy":"Local"})"),
      "spec.topologyKeys: Forbidden: may not be specified when `externalTrafficPolicy=Local`");
  EXPECT_EQ(faults(R"({"topologyKeys":["a","b","a"]})"),
            "spec.topologyKeys[2]: Duplicate value: \"a\"");
  EXPECT_EQ(faults(R"({"topologyKeys":["*","a"]})"),
            "spec.topologyKeys[0]: Invalid value: \"*\": \"*\" must be the last value specified");
  EXPECT_NE(
      faults(R"({"topologyKeys":["a b"]})").find("spec.topologyKeys[0]: Invalid value: \"a b\""),
      std::string::npos);
  EXPECT_NE(faults(R"({"topologyKeys":[""]})").find("name part must be non-empty"),
            std::string::npos);
}

TEST(TopologyFields, RefusePreferZoneTogetherWithKeys) {
  EXPECT_EQ(faults(R"({"trafficPolicy":"PreferZone","topologyKeys":["a"]})"),
            "spec.trafficPolicy: Forbidden: may not be 'PreferZone' when `topologyKeys` is "
            "specified");
  EXPECT_EQ(faults(R"({"trafficPolicy":"Zone"})"),
            "spec.trafficPolicy: Unsupported value: \"Zone\": supported values: \"Cluster\", "
            "\"Local\", \"PreferZone\"");
}

}  // namespace
}  // namespace proxima::apiserver::rules
