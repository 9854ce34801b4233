// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_metrics.h"

#include <gtest/gtest.h>

#include "proxy/flow_document.h"
#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;
using test::PacketWorld;

class CountedFlows {
 public:
  CountedFlows() : books_(std::make_shared<FlowBooks>(FlowAccountsOptions{})) {
    world_.add_service("shop/web ip=$cluster port=http:80");
    world_.add_slice("shop/web port=http:8080 $L@here%a $R@there%b");
    publish(world_, 0);
  }
  std::shared_ptr<FlowBooks> books() const { return books_; }
  void publish(const PacketWorld& world, int minute) const {
    books_->write([&](FlowAccounts& accounts, FlowStatistics&) {
      accounts.views().add({.tables = {world.table()}, .node_zone = Text("a")},
                           FlowViews::Time(std::chrono::minutes(minute)));
    });
  }
  void end(std::string_view backend, std::uint64_t sent, std::uint64_t answered) const {
    const ConntrackEntry entry{.original = {.protocol = dataplane::kProtocolTcp,
                                            .source = {world_.address("pod"), 40'000},
                                            .destination = {world_.address("cluster"), 80}},
                               .reply = {.protocol = dataplane::kProtocolTcp,
                                         .source = {world_.address(backend), 8'080},
                                         .destination = {world_.address("pod"), 40'000}},
                               .status = answered == 0 ? 0 : dataplane::kConntrackSeenReply,
                               .sent = {.bytes = sent},
                               .answered = {.bytes = answered}};
    books_->write([&](FlowAccounts& accounts, FlowStatistics& statistics) {
      accounts.ended(entry);
      ++statistics.events;
    });
  }

 private:
  PacketWorld world_{IpFamily::V4};
  std::shared_ptr<FlowBooks> books_;
};

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(FlowMetrics, ShowServicesByZone) {
  telemetry::MetricsRegistry registry;
  const CountedFlows flows;
  show_flows(registry, flows.books());
  flows.end("L", 100, 200);
  flows.end("L", 1, 2);
  flows.end("R", 60, 0);
  const std::string text = registry.render();
  const std::string near = R"({namespace="shop",service="web",source_zone="a",target_zone="a")";
  const std::string far = R"({namespace="shop",service="web",source_zone="a",target_zone="b")";
  for (const std::string& line :
       {"proxima_service_connections_total" + near + "} 2",
        "proxima_service_connections_total" + far + "} 1",
        "proxima_service_unanswered_connections_total" + near + "} 0",
        "proxima_service_unanswered_connections_total" + far + "} 1",
        "proxima_service_bytes_total{direction=\"request\"," + near.substr(1) + "} 101",
        "proxima_service_bytes_total{direction=\"response\"," + near.substr(1) + "} 202",
        std::string("proxima_flow_events_total 3"), std::string("proxima_flow_events_lost_total 0"),
        std::string("proxima_flows_remembered 0")}) {
    EXPECT_TRUE(has_line(text, line)) << line << "\nin\n" << text;
  }
}

TEST(FlowMetrics, GrowAndNeverCountTwice) {
  telemetry::MetricsRegistry registry;
  const CountedFlows flows;
  show_flows(registry, flows.books());
  for (int round = 1; round <= 3; ++round) {
    flows.end("L", 10, 20);
    EXPECT_NE(registry.render().find("target_zone=\"a\"} " + std::to_string(round) + "\n"),
              std::string::npos);
  }
}

TEST(FlowMetrics, LoseServicesThatAreLongGone) {
  telemetry::MetricsRegistry registry;
  const CountedFlows flows;
  show_flows(registry, flows.books());
  flows.end("L", 1, 1);
  EXPECT_NE(registry.render().find("service=\"web\""), std::string::npos);
  const PacketWorld empty(IpFamily::V4);
  for (int minute = 1; minute < 10; ++minute) flows.publish(empty, minute);
  flows.books()->write([](FlowAccounts& accounts, FlowStatistics&) {
    accounts.begin_look();
    accounts.end_look();
  });
  EXPECT_EQ(registry.render().find("service=\"web\""), std::string::npos);
}

TEST(FlowDocument, ShowsEndpointsAndCanBeNarrowed) {
  const CountedFlows flows;
  flows.end("L", 100, 200);
  const auto rendered = [&](const FlowFilter& filter) {
    std::string text;
    flows.books()->read([&](const FlowAccounts& accounts, const FlowStatistics& statistics) {
      text = render_flows(accounts, statistics, filter);
    });
    return text;
  };
  EXPECT_EQ(rendered({}),
            R"({"counting":{"events":1,"eventsLost":0,"looks":0,"failures":0,)"
            R"("lookMicroseconds":0,"remembered":0},"services":[{"namespace":"shop",)"
            R"("service":"web","sourceZone":"a","targetZone":"a","connections":1,"unanswered":0,)"
            R"("requestBytes":100,"responseBytes":200,"open":0}],"endpoints":[)"
            R"({"namespace":"shop","service":"web","port":"shop/web:http/TCP",)"
            R"("address":"10.180.0.1","targetPort":8080,"sourceZone":"a","targetZone":"a",)"
            R"("connections":1,"unanswered":0,"requestBytes":100,"responseBytes":200,"open":0}]})"
            "\n");
  EXPECT_NE(rendered({.ns = "shop", .service = "web"}).find("10.180.0.1"), std::string::npos);
  EXPECT_EQ(rendered({.ns = "shop", .service = "cart"}).find("10.180.0.1"), std::string::npos);
  EXPECT_EQ(rendered({.ns = "other"}).find("10.180.0.1"), std::string::npos);
}

}  // namespace
}  // namespace proxima::proxy
