// SPDX-License-Identifier: Apache-2.0
// Proxies of nodes that are asked over real connections; each node has an address of its own on the
// loopback interface.
#include "web/proxy_traffic.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/check.h"
#include "support/http_test_server.h"
#include "support/kube_records.h"
#include "support/patience.h"

namespace proxima::web {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::eventually;

std::string flows(int connections) {
  return R"({"endpoints":[{"namespace":"shop","service":"web","address":"10.0.0.1",)"
         R"("sourceZone":"a","targetZone":"b","unanswered":0,"requestBytes":1,"responseBytes":2,)"
         R"("connections":)" +
         std::to_string(connections) + "}]}";
}

class ProxyTrafficTest : public ::testing::Test {
 protected:
  // Node 1 has the address 127.0.0.1, and so on.
  void set_nodes(const std::vector<int>& numbers) {
    std::vector<Ref<const kube::NodeRecord>> nodes;
    for (const int i : numbers) {
      auto node = make_.node("node-" + std::to_string(i), "topology.kubernetes.io/zone=a");
      node->internal_ips.push_back(*IpAddress::parse("127.0.0." + std::to_string(i)));
      nodes.push_back(node);
    }
    caches_.nodes.replace(nodes);
  }
  void start(std::size_t nodes_max = 1000, milliseconds keep_asking = std::chrono::minutes(15)) {
    traffic_ = std::make_unique<ProxyTraffic>(ProxyTrafficOptions{.port = server_.port(),
                                                                  .period = milliseconds(20),
                                                                  .silent_period = seconds(60),
                                                                  .keep_asking = keep_asking,
                                                                  .nodes_max = nodes_max,
                                                                  .parse = parse},
                                              caches_, clock_);
  }
  static Result<ProxyReport> parse(std::string_view text) {
    PROXIMA_CHECK(text != "breaks");
    return parse_proxy_report(text);
  }
  std::uint64_t requests() const {
    std::uint64_t sum = 0;
    for (const SeenTraffic& row : traffic_->window(seconds(60)).rows) sum += row.requests;
    return sum;
  }
  net::Reply reply(const net::HttpRequest& request) {
    ++asked_;
    EXPECT_EQ(request.target, "/debug/flows");
    const std::string host(request.headers.find("Host").value_or(""));
    if (host.starts_with("127.0.0.3:")) return support::answer("404 page not found\n", 404);
    if (host.starts_with("127.0.0.4:")) return support::answer(R"({"endpoints":[{}]})");
    if (host.starts_with("127.0.0.7:")) return support::answer("breaks");
    // Packed by the server to less than 100 kB.
    if (host.starts_with("127.0.0.5:"))
      return support::answer(std::string(kFlowsBytesMax + 1, ' '));
    if (host.starts_with("127.0.0.6:")) {
      seen_token_ = request.headers.find("Authorization").value_or("none");
      return support::answer("denied\n", 403);
    }
    return support::answer(flows(connections_));
  }

  testing::RecordMaker make_;
  controller::ClusterCaches caches_;
  SystemClock clock_;
  std::atomic<int> asked_ = 0;
  std::atomic<int> connections_ = 100;
  std::string seen_token_;  // known once somebody was denied
  support::HttpTestServer server_{[this](const auto& request) { return reply(request); },
                                  {.address = "0.0.0.0"}};
  std::unique_ptr<ProxyTraffic> traffic_;
};

TEST_F(ProxyTrafficTest, NobodyIsAskedWhileNobodyLooks) {
  set_nodes({1, 2});
  start();
  EXPECT_FALSE(eventually([&] { return asked_ > 0; }, milliseconds(200)));
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return asked_ >= 4; })) << "round by round";
}

TEST_F(ProxyTrafficTest, CountsWhatComesWhileSomebodyLooks) {
  set_nodes({1, 2});
  start();
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return traffic_->window(seconds(60)).seconds > 0; }));
  EXPECT_EQ(requests(), 0U) << "what was counted before is not shown";
  connections_ = 107;
  EXPECT_TRUE(eventually([&] { return requests() == 14; })) << requests();
  const SeenWindow window = traffic_->window(seconds(60));
  EXPECT_EQ(window.rows.front().service, "shop/web");
  EXPECT_EQ(window.rows.front().from_zone, "a");
  EXPECT_EQ(window.rows.front().to_zone, "") << "no Node is in b";
  EXPECT_EQ(traffic_->totals().requests, 14U);
  EXPECT_EQ(traffic_->asked(),
            (AskedProxies{.nodes = 2, .asked = 2, .answered = 2, .problem = {}}));
}

TEST_F(ProxyTrafficTest, ForgetsWhenNobodyLooksAnyMore) {
  set_nodes({1, 2});
  start(1000, milliseconds(300));
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return traffic_->asked()->answered == 2; }));
  EXPECT_TRUE(eventually([&] { return traffic_->asked()->answered == 0; }));
  EXPECT_EQ(traffic_->window(seconds(60)).seconds, 0);
  const int asked = asked_;
  EXPECT_FALSE(eventually([&] { return asked_ != asked; }, milliseconds(100)));
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return traffic_->asked()->answered == 2; }));
}

TEST_F(ProxyTrafficTest, SaysWhoDoesNotAnswerAndWhyAndAsksLessOften) {
  set_nodes({1, 2, 3});
  start();
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return traffic_->asked()->answered == 2; }));
  EXPECT_TRUE(eventually([&] { return !traffic_->asked()->problem.empty(); }));
  EXPECT_EQ(traffic_->asked()->problem,
            "the proxy of node-3 at http://127.0.0.3:" + std::to_string(server_.port()) +
                " has no /debug/flows");
  const int before = asked_;
  EXPECT_TRUE(eventually([&] { return asked_ >= before + 4; }));
  EXPECT_EQ(traffic_->asked()->answered, 2U);
  set_nodes({1, 2});
  EXPECT_TRUE(eventually([&] { return traffic_->asked()->problem.empty(); }))
      << "a node that is gone is no problem";
}

TEST_F(ProxyTrafficTest, WhatCannotBeReadIsAProblemOfThatNodeAlone) {
  set_nodes({1, 2, 4});
  start();
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return !traffic_->asked()->problem.empty(); }));
  EXPECT_EQ(traffic_->asked()->problem,
            "the proxy of node-4 at http://127.0.0.4:" + std::to_string(server_.port()) +
                "/debug/flows: endpoints[0]: namespace is no text");
  EXPECT_TRUE(eventually([&] { return traffic_->window(seconds(60)).seconds > 0; }));
  connections_ = 101;
  EXPECT_TRUE(eventually([&] { return requests() == 2; }));
}

TEST_F(ProxyTrafficTest, AnAnswerThatBreaksAnInvariantIsAProblemOfThatNodeAlone) {
  set_nodes({1, 2, 7});
  start();
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return !traffic_->asked()->problem.empty(); }));
  EXPECT_TRUE(traffic_->asked()->problem.starts_with(
      "the proxy of node-7 at http://127.0.0.7:" + std::to_string(server_.port()) +
      "/debug/flows: internal error: broken invariant: text != \"breaks\""))
      << traffic_->asked()->problem;
  EXPECT_TRUE(eventually([&] { return traffic_->window(seconds(60)).seconds > 0; }));
  connections_ = 101;
  EXPECT_TRUE(eventually([&] { return requests() == 2; }));
  EXPECT_EQ(traffic_->asked()->answered, 2U);
}

TEST_F(ProxyTrafficTest, ABodyThatUnpacksToTooMuchIsNotReadToItsEnd) {
  set_nodes({5});
  start();
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return !traffic_->asked()->problem.empty(); }));
  EXPECT_EQ(traffic_->asked()->problem,
            "the proxy of node-5 at http://127.0.0.5:" + std::to_string(server_.port()) +
                ": the body is longer than 8388608 bytes");
}

TEST_F(ProxyTrafficTest, ShowsItsTokenAndSaysWhoDeniesIt) {
  const std::string file = ::testing::TempDir() + "/proxy_traffic_token";
  std::ofstream(file) << "the-token\n";
  set_nodes({6});
  traffic_ = std::make_unique<ProxyTraffic>(
      ProxyTrafficOptions{.port = server_.port(), .token_file = file}, caches_, clock_);
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return !traffic_->asked()->problem.empty(); }));
  EXPECT_EQ(traffic_->asked()->problem,
            "the proxy of node-6 at http://127.0.0.6:" + std::to_string(server_.port()) +
                " denies access to /debug/flows (403)");
  traffic_.reset();
  EXPECT_EQ(seen_token_, "Bearer the-token");
  std::filesystem::remove(file);
}

TEST_F(ProxyTrafficTest, OfALargeClusterAPartIsAsked) {
  std::vector<int> numbers(50);
  std::iota(numbers.begin(), numbers.end(), 5);
  set_nodes(numbers);
  start(2);
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return asked_ >= 6; }));
  EXPECT_EQ(traffic_->asked()->nodes, 50U);
  EXPECT_EQ(traffic_->asked()->asked, 2U);
  EXPECT_LE(traffic_->asked()->answered, 2U);
}

TEST_F(ProxyTrafficTest, EndsAtOnceWhileAProxyKeepsItWaiting) {
  support::HttpTestServer slow(
      [](const auto&) {
        net::Reply never;
        never.ready = [] { return false; };
        return never;
      },
      {.address = "0.0.0.0"});
  set_nodes({1});
  traffic_ =
      std::make_unique<ProxyTraffic>(ProxyTrafficOptions{.port = slow.port()}, caches_, clock_);
  traffic_->wanted();
  EXPECT_TRUE(eventually([&] { return traffic_->asked()->asked == 1; }));
  const auto begin = std::chrono::steady_clock::now();
  traffic_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(4)) << "its patience is 5 s";
}

}  // namespace
}  // namespace proxima::web
