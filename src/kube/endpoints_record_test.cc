// SPDX-License-Identifier: Apache-2.0
#include "kube/endpoints_record.h"

#include <gtest/gtest.h>

#include <string>

#include "kube/cache.h"
#include "kube/record_reader.h"

namespace proxima::kube {
namespace {

constexpr std::string_view kEndpointsJson =
    R"({"metadata":{"name":"db","namespace":"shop","uid":"u-1","resourceVersion":"12",
  "labels":{"tier":"data"},"annotations":{"b":"2","a":"1"}},
  "subsets":[{"addresses":[{"ip":"10.0.0.1","hostname":"h","nodeName":"node-1",
      "targetRef":{"kind":"Pod","namespace":"shop","name":"db-0","uid":"u-9","fieldPath":"f"}},
      {"ip":"fd00::1","hostname":""}],
    "notReadyAddresses":[{"ip":"010.0.0.2"}],
    "ports":[{"name":"sql","port":5432,"protocol":"TCP","appProtocol":"postgres"},{"port":1}]},
    {"addresses":null,"notReadyAddresses":[{"ip":"10.0.0.3"}]}]})";

class EndpointsRecordTest : public ::testing::Test {
 protected:
  ReadObject<EndpointsRecord> read(std::string_view json) {
    std::string padded(json);
    padded.reserve(padded.size() + 64);
    return reader_.object(padded);
  }

  std::vector<std::string> problems_;
  RecordReader<EndpointsRecord> reader_{
      "Endpoints", [this](const wire::Problem& problem) { problems_.push_back(problem.field); }};
};

TEST_F(EndpointsRecordTest, KeepsAllThatIsMirrored) {
  const auto read_object = read(kEndpointsJson);
  const EndpointsRecord& record = *read_object.record;
  EXPECT_EQ(to_text(record.key()), "shop/db");
  EXPECT_EQ(record.meta.uid.view(), "u-1");
  EXPECT_EQ(record.meta.version, 12U);
  EXPECT_FALSE(record.meta.terminating);
  EXPECT_EQ(label(record.labels, "tier").view(), "data");
  ASSERT_EQ(record.annotations->all().size(), 2U);
  EXPECT_EQ(record.annotations->all()[0].key.view(), "a");
  ASSERT_EQ(record.subsets.size(), 2U);
  const EndpointsSubsetRecord& subset = record.subsets[0];
  ASSERT_EQ(subset.ready.size(), 2U);
  EXPECT_EQ(subset.ready[0].ip.view(), "10.0.0.1");
  EXPECT_EQ(subset.ready[0].hostname, Text("h"));
  EXPECT_EQ(subset.ready[0].node, Text("node-1"));
  EXPECT_EQ(subset.ready[0].target->name, Text("db-0"));
  EXPECT_EQ(subset.ready[0].target->uid, Text("u-9"));
  EXPECT_EQ(subset.ready[0].target->field_path, Text("f"));
  EXPECT_EQ(subset.ready[1].hostname, Text()) << "an empty one is none";
  EXPECT_EQ(subset.ready[1].node, Text());
  EXPECT_FALSE(subset.ready[1].target);
  ASSERT_EQ(subset.not_ready.size(), 1U);
  EXPECT_EQ(subset.not_ready[0].ip.view(), "010.0.0.2") << "as written";
  EXPECT_TRUE(record.subsets[1].ready.empty());
  EXPECT_TRUE(record.subsets[1].ports.empty());
  EXPECT_TRUE(problems_.empty());
}

TEST_F(EndpointsRecordTest, PortsAlwaysHaveANameAndAProtocol) {
  const auto record = read(kEndpointsJson).record;
  const auto& ports = record->subsets[0].ports;
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_EQ(ports[0].name, Text("sql"));
  EXPECT_EQ(ports[0].app_protocol, Text("postgres"));
  EXPECT_EQ(ports[1].name, Text(""));
  EXPECT_EQ(ports[1].protocol, Text("TCP"));
  EXPECT_EQ(ports[1].port, 1);
  EXPECT_EQ(ports[1].app_protocol, Text());
}

TEST_F(EndpointsRecordTest, WhatIsWrongIsReportedAndTheRestKept) {
  struct Row {
    const char* name;
    const char* subsets;
    const char* field;  // of the only report
    std::size_t kept;   // subsets
  };
  const Row rows[] = {
      {"subsets that are no list", R"("many")", "subsets", 0},
      {"a subset that is no object", R"([1,{"ports":[]}])", "subsets[0]", 1},
      {"an address that is no object", R"([{"addresses":["10.0.0.1"]}])", "subsets[0].addresses[0]",
       1},
      {"an address that is a number", R"([{"addresses":[{"ip":1}]}])", "subsets[0].addresses[0].ip",
       1},
      {"a port that is a text", R"([{"ports":[{"port":"http"}]}])", "subsets[0].ports[0].port", 1},
      {"a port beyond all numbers", R"([{"ports":[{"port":99999999999}]}])",
       "subsets[0].ports[0].port", 1},
  };
  for (const Row& row : rows) {
    problems_.clear();
    const auto record =
        read(std::string(R"({"metadata":{"name":"x"},"subsets":)") + row.subsets + "}").record;
    ASSERT_TRUE(record) << row.name;
    EXPECT_EQ(record->subsets.size(), row.kept) << row.name;
    EXPECT_EQ(problems_, std::vector<std::string>{row.field}) << row.name;
  }
}

TEST_F(EndpointsRecordTest, AnObjectWithoutANameIsNotReadable) {
  EXPECT_FALSE(read(R"({"metadata":{},"subsets":[]})").readable);
  EXPECT_FALSE(read("[").readable);
}

TEST_F(EndpointsRecordTest, TheCacheFindsThemByName) {
  Cache<EndpointsRecord> cache;
  cache.replace({read(kEndpointsJson).record});
  EXPECT_TRUE(cache.snapshot().find({"shop", "db"}));
  EXPECT_FALSE(cache.snapshot().find({"shop", "dc"}));
  cache.erase({"shop", "db"});
  EXPECT_EQ(cache.snapshot().size(), 0U);
}

}  // namespace
}  // namespace proxima::kube
