// SPDX-License-Identifier: Apache-2.0
// Against the kernel, in a network namespace of the test's own: what sockets sent is compared with
// what was counted.
#include "proxy/flow_accounting.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include <netinet/tcp.h>
#include <poll.h>

#include "proxy/node_routes.h"
#include "support/datagrams.h"
#include "support/own_network.h"
#include "support/route_world.h"

namespace proxima::proxy {
namespace {

using namespace std::chrono_literals;
using dataplane::ConntrackEntry;
using dataplane::ConntrackTable;

// A service as the proxy's rules would make it, of loopback addresses.
constexpr const char* kAccountedRules = R"(
table ip t {
  chain out { type nat hook output priority -100;
    ip daddr 127.0.0.2 udp dport 53 dnat to 127.0.0.3:5353
    ip daddr 127.0.0.2 tcp dport 80 dnat to 127.0.0.4:8080; }
}
)";

FlowView view() {
  RoutingRules rules;
  NodeRoutes routes({.proxy_name = "", .rules = {rules}});
  routes.set_node({.name = Text("here"), .zone = Text("a")});
  routes.change_service({}, test::service("shop/web ip=127.0.0.2 port=dns:53/UDP port=http:80"));
  routes.change_slice({}, test::slice("shop/web/1 port=dns:5353/UDP 127.0.0.3@here%a"));
  routes.change_slice({}, test::slice("shop/web/2 port=http:8080 127.0.0.4@there%b"));
  routes.update();
  return {.tables = {*routes.table(IpFamily::V4)}, .node_zone = Text("a")};
}

FlowTraffic traffic(const FlowAccounting& accounting, std::string_view target_zone) {
  FlowTraffic found;
  accounting.books()->read([&](const FlowAccounts& accounts, const FlowStatistics&) {
    for (const auto& [key, account] : accounts.by_series()) {
      if (key.target_zone.view() == target_zone) found = account.traffic;
    }
  });
  return found;
}

FlowStatistics statistics(const FlowAccounting& accounting) {
  FlowStatistics found;
  accounting.books()->read([&](const FlowAccounts&, const FlowStatistics& all) { found = all; });
  return found;
}

std::size_t remembered(const FlowAccounting& accounting) {
  std::size_t found = 0;
  accounting.books()->read(
      [&](const FlowAccounts& accounts, const FlowStatistics&) { found = accounts.remembered(); });
  return found;
}

// Looks again every few milliseconds, for ten seconds at most.
bool comes_true(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 2'000; ++tries) {
    if (condition()) return true;
    ::poll(nullptr, 0, 5);
  }
  return false;
}

void end_all(std::uint8_t protocol) {
  ConntrackTable table = ConntrackTable::open().value();
  const std::vector<ConntrackEntry> entries =
      table.list({.family = IpFamily::V4, .protocol = protocol}).value();
  for (const ConntrackEntry& entry : entries) ASSERT_TRUE(table.remove(entry).has_value());
}

std::unique_ptr<FlowAccounting> begin_counting(Clock& clock, FlowAccountingOptions options) {
  auto accounting = FlowAccounting::start(clock, options).value();
  accounting->publish(view());
  EXPECT_TRUE(comes_true([&] { return statistics(*accounting).looks > 0; }));
  return accounting;
}

// Never looks but at its beginning, so that only events count.
constexpr FlowAccountingOptions kEventsOnly{.look_period = 10min, .gather_time = 1ms};
constexpr FlowAccountingOptions kQuickLooks{
    .look_period = 20ms, .look_share = 1, .gather_time = 1ms};

TEST(FlowAccounting, CountsEveryDatagramExactly) {
  test::in_own_network("counting datagrams from events", [] {
    ASSERT_TRUE(test::load_rules(kAccountedRules));
    ASSERT_TRUE(test::write_setting("net.netfilter.nf_conntrack_acct", "1"));
    SystemClock clock;
    const auto accounting = begin_counting(clock, kEventsOnly);
    std::uint64_t bytes = 0;
    for (std::uint16_t port = 10'000; port < 10'500; ++port) {
      const std::string payload(port % 700, 'x');
      ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, port, payload));
      bytes += 20 + 8 + payload.size();
    }
    end_all(dataplane::kProtocolUdp);
    EXPECT_TRUE(comes_true([&] { return traffic(*accounting, "a").connections == 500; }));
    const FlowTraffic counted = traffic(*accounting, "a");
    EXPECT_EQ(counted.connections, 500U);
    EXPECT_EQ(counted.sent_bytes, bytes);
    EXPECT_EQ(counted.unanswered, 500U);
    EXPECT_EQ(statistics(*accounting).events_lost, 0U);
  });
}

// A connection to the service, with both of its ends.
class Connection {
 public:
  Connection() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in at = test::ipv4("127.0.0.4", 8'080);
    client_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::setsockopt(client_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(listener_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const sockaddr_in to = test::ipv4("127.0.0.2", 80);
    good_ = ::bind(listener_, test::plain(at), sizeof at) == 0 && ::listen(listener_, 16) == 0 &&
            ::connect(client_, test::plain(to), sizeof to) == 0;
    server_ = good_ ? ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC) : -1;
  }
  ~Connection() {
    for (const int descriptor : {client_, server_, listener_}) ::close(descriptor);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool good() const { return good_ && server_ >= 0; }
  bool send(std::size_t bytes) const { return move(client_, server_, bytes); }
  bool answer(std::size_t bytes) const { return move(server_, client_, bytes); }

 private:
  static bool move(int from, int to, std::size_t bytes) {
    const std::string chunk(16'384, 'x');
    std::string got(16'384, ' ');
    for (std::size_t left = bytes; left > 0;) {
      const std::size_t size = std::min(left, chunk.size());
      if (::send(from, chunk.data(), size, 0) != static_cast<ssize_t>(size)) return false;
      if (::recv(to, got.data(), size, MSG_WAITALL) != static_cast<ssize_t>(size)) return false;
      left -= size;
    }
    return true;
  }
  int listener_;
  int client_ = -1;
  int server_ = -1;
  bool good_ = false;
};

// Payload, and at most 60 bytes of headers for each packet and its acknowledgement.
void expect_about(std::uint64_t counted, std::uint64_t payload) {
  EXPECT_GE(counted, payload);
  EXPECT_LE(counted, payload + payload / 50 + 2'000);
}

TEST(FlowAccounting, ShowsAConnectionBeforeItEndsAndCountsItOnce) {
  test::in_own_network("counting a connection that lasts", [] {
    ASSERT_TRUE(test::load_rules(kAccountedRules));
    ASSERT_TRUE(test::write_setting("net.netfilter.nf_conntrack_acct", "1"));
    SystemClock clock;
    const auto accounting = begin_counting(clock, kQuickLooks);
    {
      const Connection connection;
      ASSERT_TRUE(connection.good());
      ASSERT_TRUE(connection.send(1'000'000));
      EXPECT_TRUE(comes_true([&] { return traffic(*accounting, "b").sent_bytes >= 1'000'000; }));
      EXPECT_EQ(traffic(*accounting, "b").connections, 1U);
      ASSERT_TRUE(connection.send(500'000));
      ASSERT_TRUE(connection.answer(2'000'000));
    }
    end_all(dataplane::kProtocolTcp);
    EXPECT_TRUE(comes_true([&] { return traffic(*accounting, "b").answered_bytes >= 2'000'000; }));
    const std::uint64_t looks = statistics(*accounting).looks;
    EXPECT_TRUE(comes_true([&] { return statistics(*accounting).looks >= looks + 3; }));
    const FlowTraffic counted = traffic(*accounting, "b");
    EXPECT_EQ(counted.connections, 1U);
    EXPECT_EQ(counted.unanswered, 0U);
    expect_about(counted.sent_bytes, 1'500'000);
    expect_about(counted.answered_bytes, 2'000'000);
  });
}

TEST(FlowAccounting, DoesNotCountWhatWasThereBefore) {
  test::in_own_network("leaving out what an earlier process counted", [] {
    ASSERT_TRUE(test::load_rules(kAccountedRules));
    ASSERT_TRUE(test::write_setting("net.netfilter.nf_conntrack_acct", "1"));
    const Connection connection;
    ASSERT_TRUE(connection.good());
    ASSERT_TRUE(connection.send(1'000'000));
    SystemClock clock;
    const auto accounting = begin_counting(clock, kQuickLooks);
    ASSERT_TRUE(connection.send(300'000));
    EXPECT_TRUE(comes_true([&] { return traffic(*accounting, "b").sent_bytes >= 300'000; }));
    EXPECT_EQ(traffic(*accounting, "b").connections, 0U);
    expect_about(traffic(*accounting, "b").sent_bytes, 300'000);
  });
}

TEST(FlowAccounting, LooksAtEverythingAfterALoss) {
  test::in_own_network("losing events and going on", [] {
    ASSERT_TRUE(test::load_rules(kAccountedRules));
    ASSERT_TRUE(test::write_setting("net.netfilter.nf_conntrack_acct", "1"));
    SystemClock clock;
    // Nobody reads for a while, so that a small buffer overflows.
    const auto accounting = begin_counting(
        clock, {.look_period = 10min, .gather_time = 200ms, .events = {.buffer_bytes = 4'096}});
    for (std::uint16_t port = 10'000; port < 10'300; ++port) {
      ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, port, "x"));
    }
    end_all(dataplane::kProtocolUdp);
    EXPECT_TRUE(comes_true([&] { return statistics(*accounting).events_lost > 0; }));
    const std::uint64_t looks = statistics(*accounting).looks;
    // It lasts, and no event tells of it: only a look can have seen it.
    ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, 20'000, "x"));
    EXPECT_TRUE(comes_true([&] { return remembered(*accounting) == 1; }));
    EXPECT_GT(statistics(*accounting).looks, looks);
    EXPECT_LT(traffic(*accounting, "a").connections, 300U);
  });
}

TEST(FlowAccounting, EndsWithoutEverHavingSeenAView) {
  test::in_own_network("ending early", [] {
    SystemClock clock;
    auto accounting = FlowAccounting::start(clock, {}).value();
    const std::shared_ptr<const FlowBooks> books = accounting->books();
    accounting.reset();
    std::uint64_t looks = 1;
    books->read([&](const FlowAccounts&, const FlowStatistics& all) { looks = all.looks; });
    EXPECT_EQ(looks, 0U);
  });
}

}  // namespace
}  // namespace proxima::proxy
