// SPDX-License-Identifier: Apache-2.0
// Real backends and real clients over loopback, where inside is here.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/clock.h"
#include "net/listening_socket.h"
#include "support/http_test_server.h"
#include "support/open_descriptors.h"
#include "support/patience.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace proxima::traffic {
namespace {

using proxima::testing::eventually;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::open_descriptors;

class FleetOnLoopback : public ::testing::Test {
 protected:
  void start(const std::string& pod, std::uint16_t port = 0, milliseconds think_time = {}) {
    const BackendSpec spec{.pod = pod,
                           .node = "node-of-" + pod,
                           .zone = pod.substr(0, 1),
                           .port = port,
                           .think_time = think_time,
                           .address = "127.0.0.1"};
    const Status status = farm_->start(spec, run_here);
    ASSERT_TRUE(status) << status.error().message;
  }
  static Target to_port(const std::string& service, std::uint16_t port, double share = 1) {
    const IpAddress loopback = IpAddress::parse("127.0.0.1").value();
    return {.service = service, .address = loopback, .port = port, .share = share};
  }
  Target to_pod(const std::string& service, const std::string& pod, double share = 1) const {
    return to_port(service, farm_->port(pod).value(), share);
  }
  std::unique_ptr<ClientFleet> fleet(ClientFleetOptions options = {}) {
    return ClientFleet::create(meter_, options).value();
  }
  // One client, asking at once.
  std::unique_ptr<ClientFleet> one_client(const Target& target, double rate,
                                          ClientFleetOptions options = {}) {
    auto made = fleet(options);
    EXPECT_TRUE(made->add({"c", "node", "a"}, run_here));
    made->set_targets({target});
    made->set_rate(rate);
    return made;
  }
  template <class Counts>
  Seen sum(Counts counts) const {
    Seen all;
    for (const Seen& seen : meter_.totals()) {
      if (!counts(seen)) continue;
      all.requests += seen.requests;
      all.retried += seen.retried;
      all.failed += seen.failed;
      all.bytes += seen.bytes;
    }
    return all;
  }
  Seen sum() const {
    return sum([](const Seen&) { return true; });
  }
  static std::uint16_t free_port() {
    return net::ListeningSocket::open("127.0.0.1", 0).value().port();
  }

  SystemClock clock_;
  TrafficMeter meter_{clock_};
  std::unique_ptr<BackendFarm> farm_ = BackendFarm::create().value();
};

TEST_F(FleetOnLoopback, CountsWhatTheBackendsServed) {
  start("a1");
  start("b1");
  auto clients = fleet();
  ASSERT_TRUE(clients->add({"client-a", "node-a", "a"}, run_here));
  ASSERT_TRUE(clients->add({"client-b", "node-b", "b"}, run_here));
  clients->set_targets({to_pod("even", "a1"), to_pod("other", "b1")});
  clients->set_rate(400);
  EXPECT_TRUE(eventually([&] { return sum().requests >= 200; }));
  clients->set_rate(0);
  EXPECT_TRUE(
      eventually([&] { return sum().requests == farm_->served("a1") + farm_->served("b1"); }));
  EXPECT_EQ(sum().failed, 0U);
  EXPECT_EQ(sum().retried, 0U);
  EXPECT_GE(sum().bytes, sum().requests * 2048);
  for (const Seen& seen : meter_.totals()) {
    EXPECT_EQ(seen.to_zone, seen.service == "even" ? "a" : "b");
  }
}

TEST_F(FleetOnLoopback, KeepsTheRateAndTheSharesOfZonesAndServices) {
  start("a1");
  auto clients = fleet();
  for (const char* name : {"a-1", "a-2", "b-1", "c-1"})
    ASSERT_TRUE(clients->add({name, name, std::string(1, name[0])}, run_here));
  clients->remove("c-1");
  clients->set_targets({to_pod("big", "a1", 3), to_pod("small", "a1", 1)});
  clients->set_demand({{"a", 0.6}, {"b", 0.2}, {"c", 0.2}});
  clients->set_rate(500);  // 400 without zone c
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] { return sum().requests >= 400; }));
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_GT(took, 0.9);
  const auto part = [&](auto counts) {
    return static_cast<double>(sum(counts).requests) / static_cast<double>(sum().requests);
  };
  EXPECT_NEAR(part([](const Seen& seen) { return seen.from_zone == "a"; }), 0.75, 0.03);
  EXPECT_NEAR(part([](const Seen& seen) { return seen.from_zone == "b"; }), 0.25, 0.03);
  EXPECT_NEAR(part([](const Seen& seen) { return seen.service == "big"; }), 0.75, 0.03);
}

TEST_F(FleetOnLoopback, TriesAgainUntilABackendComes) {
  const std::uint16_t port = free_port();
  auto clients = one_client(to_port("s", port), 100);
  EXPECT_FALSE(eventually([&] { return sum().requests + sum().failed > 0; }, milliseconds(300)));
  start("a1", port);
  EXPECT_TRUE(eventually([&] { return sum().requests >= 100; }));
  EXPECT_EQ(sum().failed, 0U);
  EXPECT_GE(sum().retried, 20U);
  EXPECT_LT(sum().retried, sum().requests);
}

TEST_F(FleetOnLoopback, TriesAgainWhenTheBackendIsCut) {
  start("a1", 0, milliseconds(30));
  const std::uint16_t port = farm_->port("a1").value();
  auto clients = one_client(to_port("s", port), 300);
  for (int round = 0; round < 5; ++round) {
    const std::uint64_t before = sum().requests;
    EXPECT_TRUE(eventually([&] { return sum().requests >= before + 30; }));
    farm_->cut("a1");
    start("a1", port, milliseconds(30));
  }
  EXPECT_TRUE(eventually([&] { return sum().retried > 0; }));
  EXPECT_EQ(sum().failed, 0U);
}

struct DeadEndRow {
  const char* name;
  bool listens;          // and never answers
  bool drops_newcomers;  // without a word
};

TEST_F(FleetOnLoopback, FailsWhenTheBudgetEnds) {
  const DeadEndRow rows[] = {
      {"refused", false, false}, {"no answer", true, false}, {"no connection", true, true}};
  for (const DeadEndRow& row : rows) {
    SCOPED_TRACE(row.name);
    auto socket = net::ListeningSocket::open("127.0.0.1", 0).value();
    const std::uint16_t port = socket.port();
    if (row.drops_newcomers) net::turn_newcomers_away(socket.descriptor());
    if (!row.listens) socket = net::ListeningSocket::open("127.0.0.1", 0).value();
    const std::uint64_t before = sum().failed;
    const auto began = std::chrono::steady_clock::now();
    auto clients = one_client(to_port(row.name, port), 100,
                              {.connect_timeout = milliseconds(50),
                               .answer_timeout = milliseconds(50),
                               .budget = milliseconds(300)});
    EXPECT_TRUE(eventually([&] { return sum().failed >= before + 10; }));
    // A request ends early where no other try would fit.
    EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(150));
  }
  EXPECT_EQ(sum().requests, 0U);
  EXPECT_EQ(sum().retried, sum().failed);
  for (const Seen& seen : meter_.totals()) EXPECT_EQ(seen.to_zone, "");
}

TEST_F(FleetOnLoopback, AWrongAnswerFailsAtOnce) {
  support::HttpTestServer broken([](const auto&) { return support::answer("no", 500); });
  support::HttpTestServer stranger([](const auto&) { return support::answer("hello"); });
  auto clients = fleet();
  ASSERT_TRUE(clients->add({"c", "node", "a"}, run_here));
  clients->set_targets({to_port("broken", broken.port()), to_port("stranger", stranger.port())});
  clients->set_rate(100);
  EXPECT_TRUE(eventually([&] { return sum().failed >= 20; }));
  EXPECT_EQ(sum().requests, 0U);
  EXPECT_EQ(sum().retried, 0U);
  EXPECT_EQ(meter_.totals().size(), 2U);
}

TEST_F(FleetOnLoopback, ARequestThatIsAnsweredIsOver) {
  start("a1");
  auto clients = one_client(to_pod("s", "a1"), 100, {.answer_timeout = milliseconds(500)});
  EXPECT_TRUE(eventually([&] { return sum().requests >= 10; }));
  clients->set_rate(0);
  EXPECT_TRUE(eventually([&] { return sum().requests == farm_->served("a1"); }));
  const std::uint64_t served = farm_->served("a1");
  EXPECT_FALSE(eventually([&] { return farm_->served("a1") != served; }, milliseconds(700)));
  EXPECT_EQ(sum().requests, served);
}

TEST_F(FleetOnLoopback, WhatIsTooMuchAtOnceHasFailed) {
  const auto silent = net::ListeningSocket::open("127.0.0.1", 0).value();
  auto clients = one_client(to_port("s", silent.port()), 200, {.under_way_max = 10});
  EXPECT_TRUE(eventually([&] { return sum().failed >= 20; }));
  EXPECT_EQ(sum().requests, 0U);
  for (const Seen& seen : meter_.totals()) EXPECT_EQ(seen.service + " " + seen.from_zone, "s a");
}

TEST_F(FleetOnLoopback, ARemovedClientIsSilentAndUncounted) {
  start("a1", 0, milliseconds(100));
  auto clients = one_client(to_pod("s", "a1"), 200);
  EXPECT_TRUE(eventually([&] { return sum().requests >= 20; }));
  clients->remove("c");
  const std::uint64_t seen = sum().requests + sum().failed;
  EXPECT_FALSE(eventually([&] { return sum().requests + sum().failed > seen; }, milliseconds(300)));
  EXPECT_EQ(sum().failed, 0U);
  EXPECT_EQ(sum().retried, 0U);
}

TEST_F(FleetOnLoopback, ARemovedClientLeavesNoSocket) {
  const auto silent = net::ListeningSocket::open("127.0.0.1", 0).value();
  auto clients = fleet();
  clients->set_targets({to_port("s", silent.port())});
  clients->set_rate(300);
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(clients->add({"c", "node", "a"}, run_here));
    EXPECT_TRUE(eventually([&] { return open_descriptors() > before + 10; }));
    clients->remove("c");
    EXPECT_EQ(open_descriptors(), before);
  }
  clients->remove("c");
  clients->remove("nobody");
}

TEST_F(FleetOnLoopback, SaysWhichClientCannotBe) {
  auto clients = fleet();
  ASSERT_TRUE(clients->add({"c", "node", "a"}, run_here));
  const Status again = clients->add({"c", "node", "a"}, run_here);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::Conflict);
  const Status locked = clients->add({"d", "node", "a"}, [](const auto&) -> Status {
    return Error{ErrorCode::Denied, "no way in"};
  });
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().message, "client d: no way in");
}

TEST_F(FleetOnLoopback, SurvivesANamespaceThatCloses) {
  start("a1");
  std::atomic<bool> open = true;
  auto clients = fleet({.budget = milliseconds(200)});
  ASSERT_TRUE(clients->add({"c", "node", "a"}, [&](const std::function<Status()>& work) -> Status {
    return open ? work() : Status(Error{ErrorCode::NotFound, "gone"});
  }));
  clients->set_targets({to_pod("s", "a1")});
  clients->set_rate(300);
  EXPECT_TRUE(eventually([&] { return sum().requests > 50; }));
  open = false;
  EXPECT_TRUE(eventually([&] { return sum().failed > 5; }));
  open = true;
  const std::uint64_t before = sum().requests;
  EXPECT_TRUE(eventually([&] { return sum().requests > before + 50; }));
}

TEST_F(FleetOnLoopback, TargetsMayChangeAtAnyTime) {
  start("a1");
  start("b1");
  auto clients = one_client(to_pod("s", "a1"), 300);
  EXPECT_TRUE(eventually([&] { return farm_->served("a1") > 10; }));
  clients->set_targets({to_pod("s", "b1")});
  EXPECT_TRUE(eventually([&] { return farm_->served("b1") > 10; }));
  clients->set_targets({});
  const std::uint64_t before = farm_->served("b1");
  EXPECT_FALSE(eventually([&] { return farm_->served("b1") > before + 5; }, milliseconds(200)));
  EXPECT_EQ(sum().failed, 0U);
}

}  // namespace
}  // namespace proxima::traffic
