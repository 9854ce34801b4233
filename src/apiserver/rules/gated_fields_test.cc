// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/gated_fields.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

namespace proxima::apiserver::rules {
namespace {

// What is left of an object; `old` "" on create.
std::string written(Kind kind, const std::string& gates, const std::string& object,
                    const std::string& old = "") {
  JsonFields fields = boost::json::parse(object).as_object();
  const JsonFields before = old.empty() ? JsonFields() : boost::json::parse(old).as_object();
  drop_gated_fields(resource_of(kind), *policy::parse_feature_gates(gates), fields,
                    old.empty() ? nullptr : &before);
  return boost::json::serialize(fields);
}

TEST(GatedFields, AreDroppedFromANewObject) {
  const struct {
    const char* name;
    Kind kind;
    const char* gates;
    const char* object;
    const char* left;
  } rows[] = {
      {"nothing, when all gates are on", Kind::Service, "",
       R"({"spec":{"trafficDistribution":"PreferClose","topologyKeys":["*"]}})",
       R"({"spec":{"trafficDistribution":"PreferClose","topologyKeys":["*"]}})"},
      {"a distribution", Kind::Service, "ServiceTrafficDistribution=false",
       R"({"spec":{"type":"ClusterIP","trafficDistribution":"PreferClose"}})",
       R"({"spec":{"type":"ClusterIP"}})"},
      {"topology keys", Kind::Service, "ServiceTopology=false",
       R"({"spec":{"type":"ClusterIP","topologyKeys":["*"]}})", R"({"spec":{"type":"ClusterIP"}})"},
      {"a traffic policy", Kind::Service, "ServiceTrafficPolicy=false",
       R"({"spec":{"type":"ClusterIP","trafficPolicy":"PreferZone"}})",
       R"({"spec":{"type":"ClusterIP"}})"},
      {"hints", Kind::EndpointSlice, "TopologyAwareHints=false",
       R"({"endpoints":[{"hints":{"forZones":[{"name":"a"}],"forNodes":[{"name":"n"}]}},{}]})",
       R"({"endpoints":[{},{}]})"},
      {"hints for nodes alone", Kind::EndpointSlice, "PreferSameTrafficDistribution=false",
       R"({"endpoints":[{"hints":{"forZones":[{"name":"a"}],"forNodes":[{"name":"n"}]}}]})",
       R"({"endpoints":[{"hints":{"forZones":[{"name":"a"}]}}]})"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(written(row.kind, row.gates, row.object), row.left) << row.name;
}

TEST(GatedFields, StayWhereAnObjectHasThem) {
  const std::string service = R"({"spec":{"trafficDistribution":"PreferClose"}})";
  EXPECT_EQ(written(Kind::Service, "ServiceTrafficDistribution=false", service, service), service);
  EXPECT_EQ(written(Kind::Service, "ServiceTrafficDistribution=false", service,
                    R"({"spec":{"type":"ClusterIP"}})"),
            R"({"spec":{}})");
  const std::string slice = R"({"endpoints":[{"hints":{"forZones":[{"name":"a"}]}}]})";
  EXPECT_EQ(written(Kind::EndpointSlice, "TopologyAwareHints=false", slice, slice), slice);
}

TEST(GatedFields, LeaveMalformedObjectsToValidation) {
  for (const char* object : {R"({"endpoints":7})", R"({"endpoints":[7,{"hints":7}]})"})
    EXPECT_EQ(written(Kind::EndpointSlice, "TopologyAwareHints=false", object), object);
}

}  // namespace
}  // namespace proxima::apiserver::rules
