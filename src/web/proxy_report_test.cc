// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_report.h"

#include <gtest/gtest.h>

#include "proxy/flow_owner.h"
#include "web/live_source.h"

namespace proxima::web {
namespace {

// A row as a proxy writes it, with one field replaced.
std::string document(std::string_view field = {}, std::string_view by = {}) {
  std::string text =
      R"({"counting":{},"services":[],"endpoints":[{"namespace":"shop","service":"web",)"
      R"("port":"shop/web:http/TCP","address":"10.0.0.1","targetPort":8080,"sourceZone":"a",)"
      R"("targetZone":"b","connections":3,"unanswered":1,"requestBytes":100,)"
      R"("responseBytes":2000,"open":0}]})";
  if (!field.empty()) text.replace(text.find(field), field.size(), by);
  return text;
}

TEST(ProxyReport, HasWhatWasCountedOfEveryEndpoint) {
  const auto report = parse_proxy_report(document());
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->size(), 1U);
  const ReportedFlow& flow = report->front();
  EXPECT_EQ(flow.service, "shop/web");
  EXPECT_EQ(flow.from_zone, "a");
  EXPECT_EQ(flow.to_zone, "b");
  EXPECT_EQ(flow.address, "10.0.0.1");
  EXPECT_EQ(flow.count, (FlowCount{.connections = 3, .unanswered = 1, .bytes = 2100}));
}

TEST(ProxyReport, TellsOutsideFromUnknown) {
  const auto zone = [](std::string_view from) {
    const auto report = parse_proxy_report(document(R"("sourceZone":"a")", from));
    return report ? report->front().from_zone : "?";
  };
  const auto written = [](std::string_view name) {
    return R"("sourceZone":")" + std::string(name) + '"';
  };
  EXPECT_EQ(zone(written(proxy::kOutsideZone)), kOutsideZone);
  EXPECT_EQ(zone(written(proxy::kUnknownZone)), "");
}

TEST(ProxyReport, KnowsNoZoneThatNoNodeHas) {
  auto report = parse_proxy_report(
      document(R"("sourceZone":"a")", R"("sourceZone":")" + std::string(8'000'000, 'a') + '"'));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->front().from_zone, "") << "too long for any";
  ProxyReport flows(3, report->front());
  flows[0].from_zone = "a";
  flows[1].from_zone = "elsewhere";
  flows[2].from_zone = kOutsideZone;
  forget_unknown_zones(flows, {"a", "c"});
  EXPECT_EQ(flows[0].from_zone, "a");
  EXPECT_EQ(flows[1].from_zone, "");
  EXPECT_EQ(flows[2].from_zone, kOutsideZone);
  for (const ReportedFlow& flow : flows) EXPECT_EQ(flow.to_zone, "") << "b is no zone";
}

TEST(ProxyReport, NamesWhatCannotBeRead) {
  const struct {
    std::string_view field, by, said;
  } rows[] = {
      {R"("connections":3)", R"("connections":-3)", "endpoints[0]: connections is no count"},
      {R"("connections":3)", R"("connections":"3")", "endpoints[0]: connections is no count"},
      {R"("connections":3)", R"("connections":3.5)", "endpoints[0]: connections is no count"},
      {R"("connections":3,)", "", "endpoints[0]: connections is no count"},
      {R"("connections":3)", R"("connections":1000000000000001)",
       "endpoints[0]: connections must be a number from 0 to 1,000,000,000,000,000"},
      {R"("unanswered":1)", R"("unanswered":18446744073709551615)",
       "endpoints[0]: unanswered must be a number from 0 to 1,000,000,000,000,000"},
      {R"("requestBytes":100)", R"("requestBytes":18446744073709551615)",
       "endpoints[0]: requestBytes must be a number from 0 to 1,000,000,000,000,000,000"},
      {R"("responseBytes":2000)", R"("responseBytes":1000000000000000999)",
       "endpoints[0]: responseBytes must be a number from 0 to 1,000,000,000,000,000,000"},
      {R"("responseBytes":2000)", R"("responseBytes":18446744073709551616)",
       "endpoints[0]: responseBytes is no count"},
      {R"("address":"10.0.0.1",)", "", "endpoints[0]: address is no text"},
      {R"("address":"10.0.0.1")", R"("address":"1111:2222:3333:4444:5555:6666:111.122.133.1444")",
       "endpoints[0]: address is longer than 45 bytes"},
      {R"("service":"web")",
       R"("service":"a234567890123456789012345678901234567890123456789012345678901234")",
       "endpoints[0]: service is longer than 63 bytes"},
      {R"("namespace":"shop")",
       R"("namespace":"a234567890123456789012345678901234567890123456789012345678901234")",
       "endpoints[0]: namespace is longer than 63 bytes"},
      {R"("sourceZone":"a")", R"("sourceZone":0)", "endpoints[0]: sourceZone is no text"},
      {R"("service":"web")", R"("service":null)", "endpoints[0]: service is no text"},
      {R"("endpoints":[)", R"("endpoints":[7,)", "endpoints[0]: is no object"},
      {R"("endpoints")", R"("others")", "endpoints is no list"},
      {R"({"counting")", R"([{"counting")", "it is no JSON: "},
  };
  for (const auto& row : rows) {
    const auto report = parse_proxy_report(document(row.field, row.by));
    ASSERT_FALSE(report) << row.by;
    EXPECT_NE(report.error().message.find(row.said), std::string::npos) << report.error().message;
  }
}

TEST(ProxyReport, ANodeMaySayOnlySoMuch) {
  const auto rows = [](std::size_t count) {
    std::string text = R"({"endpoints":[)";
    for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "7" : ",7";
    return text + "]}";
  };
  EXPECT_EQ(parse_proxy_report(rows(kReportedFlowsMax)).error().message,
            "endpoints[0]: is no object");
  EXPECT_EQ(parse_proxy_report(rows(kReportedFlowsMax + 1)).error().message,
            "endpoints has more than 20000 rows");
  EXPECT_EQ(parse_proxy_report(rows(299'997)).error().message,
            "endpoints has more than 20000 rows");
  EXPECT_EQ(parse_proxy_report(rows(4'000'000)).error().message,
            "it has more than 300,000 fields and list items")
      << "nothing is made of it";
  // All that a proxy tells of as many endpoints as there may be.
  std::string text = R"({"counting":{},"services":[],"endpoints":[)";
  const std::string row = document();
  const auto begin = row.find("[{") + 1;
  const std::string one = row.substr(begin, row.rfind(']') - begin);
  for (std::size_t i = 0; i < kReportedFlowsMax; ++i) text += (i == 0 ? "" : ",") + one;
  const auto most = parse_proxy_report(text + "]}");
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_EQ(most->size(), kReportedFlowsMax);
}

}  // namespace
}  // namespace proxima::web
