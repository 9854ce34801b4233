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

TEST(ProxyReport, NamesWhatCannotBeRead) {
  const struct {
    std::string_view field, by, said;
  } rows[] = {
      {R"("connections":3)", R"("connections":-3)", "endpoints[0]: connections is no count"},
      {R"("connections":3)", R"("connections":"3")", "endpoints[0]: connections is no count"},
      {R"("address":"10.0.0.1",)", "", "endpoints[0]: address is no text"},
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
}

}  // namespace
}  // namespace proxima::web
