// SPDX-License-Identifier: Apache-2.0
// Against the kernel, in a network namespace of the test's own.
#include "dataplane/conntrack_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "support/ip.h"
#include "support/own_network.h"

namespace proxima::dataplane {
namespace {

using test::ip;

// What a Service does, with loopback addresses only.
constexpr const char* kTranslateBoth = R"(
table ip t {
  chain out { type nat hook output priority -100;
    ip daddr 127.0.0.2 udp dport 53 dnat to 127.0.0.3:5353; }
}
table ip6 t {
  chain out { type nat hook output priority -100;
    ip6 daddr ::1 udp dport 53 dnat to [::1]:5353; }
}
)";

// Sends one datagram from `port`; the flow is tracked from then on.
bool send_datagram(int family, const char* to, std::uint16_t to_port, std::uint16_t from_port) {
  const int descriptor = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 v6{};
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v6.sin6_family = AF_INET6;
  v4.sin_port = v6.sin6_port = htons(from_port);
  auto* address =
      family == AF_INET ? reinterpret_cast<sockaddr*>(&v4) : reinterpret_cast<sockaddr*>(&v6);
  const socklen_t length = family == AF_INET ? sizeof v4 : sizeof v6;
  bool sent = ::bind(descriptor, address, length) == 0;
  v4.sin_port = v6.sin6_port = htons(to_port);
  ::inet_pton(AF_INET, to, &v4.sin_addr);
  ::inet_pton(AF_INET6, to, &v6.sin6_addr);
  sent = sent && ::sendto(descriptor, "hello", 5, 0, address, length) == 5;
  ::close(descriptor);
  return sent;
}

std::vector<std::uint16_t> client_ports(ConntrackTable& table, const ConntrackQuery& query) {
  std::vector<std::uint16_t> ports;
  const std::vector<ConntrackEntry> entries = table.list(query).value();
  for (const ConntrackEntry& entry : entries) {
    ports.push_back(entry.original.source.port);
  }
  std::sort(ports.begin(), ports.end());
  return ports;
}

using Ports = std::vector<std::uint16_t>;

constexpr ConntrackQuery kUdp{.family = IpFamily::V4, .protocol = kProtocolUdp};

// Passes over a table of two flows, of which the first `interrupted` see one only.
struct ChangingTable {
  int interrupted = 0;
  int passes = 0;

  Result<bool> pass(const ConntrackVisitor& visitor) {
    visitor({.id = 1});
    if (++passes <= interrupted) return false;
    visitor({.id = 2});
    return true;
  }
  Result<std::vector<ConntrackEntry>> list() {
    return list_in_one_pass([this](const ConntrackVisitor& visitor) { return pass(visitor); });
  }
};

TEST(ConntrackList, IsWholeOrAnError) {
  const struct {
    const char* name;
    int interrupted;
    int passes;
    bool whole;
  } rows[] = {
      {"one pass is enough when nothing interrupts it", 0, 1, true},
      {"an interrupted pass is thrown away and begun anew", 1, 2, true},
      {"the fifth pass is the last", 4, 5, true},
      {"a table that is never seen whole is an error, not a partial list", 5, 5, false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    ChangingTable table{.interrupted = row.interrupted};
    const auto entries = table.list();
    EXPECT_EQ(table.passes, row.passes);
    ASSERT_EQ(entries.has_value(), row.whole);
    if (row.whole) {
      EXPECT_EQ(entries->size(), 2U);
    } else {
      EXPECT_EQ(entries.error().code, ErrorCode::Retry);
      EXPECT_NE(entries.error().message.find("interrupted 5 times"), std::string::npos);
    }
  }
}

TEST(ConntrackTable, ListsFlowsWithWhatTheyWereTranslatedTo) {
  test::in_own_network("flows as the kernel lists them", [] {
    ASSERT_TRUE(test::load_rules(kTranslateBoth));
    ASSERT_TRUE(test::write_setting("net.netfilter.nf_conntrack_acct", "1"));
    ConntrackTable table = ConntrackTable::open().value();
    ASSERT_TRUE(send_datagram(AF_INET, "127.0.0.2", 53, 4'001));
    const std::vector<ConntrackEntry> entries = table.list(kUdp).value();
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].original.source, (ConntrackEnd{ip("127.0.0.1"), 4'001}));
    EXPECT_EQ(entries[0].original.destination, (ConntrackEnd{ip("127.0.0.2"), 53}));
    EXPECT_EQ(entries[0].reply.source, (ConntrackEnd{ip("127.0.0.3"), 5'353}));
    EXPECT_EQ(entries[0].reply.destination, (ConntrackEnd{ip("127.0.0.1"), 4'001}));
    EXPECT_EQ(entries[0].sent, (ConntrackCounters{.packets = 1, .bytes = 20 + 8 + 5}));
    EXPECT_NE(entries[0].status & kConntrackDestinationNat, 0U);
  });
}

TEST(ConntrackTable, ListsOnlyWhatIsAskedFor) {
  test::in_own_network("lists by family, protocol and status", [] {
    ASSERT_TRUE(test::load_rules(kTranslateBoth));
    ConntrackTable table = ConntrackTable::open().value();
    ASSERT_TRUE(send_datagram(AF_INET, "127.0.0.2", 53, 4'001));
    ASSERT_TRUE(send_datagram(AF_INET, "127.0.0.2", 54, 4'002));
    ASSERT_TRUE(send_datagram(AF_INET6, "::1", 53, 4'003));
    EXPECT_EQ(client_ports(table, kUdp), (Ports{4'001, 4'002}));
    EXPECT_EQ(client_ports(table, {.family = IpFamily::V6, .protocol = kProtocolUdp}),
              Ports{4'003});
    EXPECT_EQ(client_ports(table, {.protocol = kProtocolTcp}), Ports{});
    EXPECT_EQ(client_ports(table, {.status = kConntrackDestinationNat}), (Ports{4'001, 4'003}));
    EXPECT_EQ(client_ports(table, {.family = IpFamily::V4}), (Ports{4'001, 4'002}));
    EXPECT_EQ(client_ports(table, {}), (Ports{4'001, 4'002, 4'003}));
  });
}

TEST(ConntrackTable, ForgetsOneFlowAndNoOther) {
  test::in_own_network("forgetting one flow", [] {
    ASSERT_TRUE(test::load_rules(kTranslateBoth));
    ConntrackTable table = ConntrackTable::open().value();
    for (const std::uint16_t port : Ports{4'001, 4'002, 4'003}) {
      ASSERT_TRUE(send_datagram(AF_INET, "127.0.0.2", 53, port));
    }
    const std::vector<ConntrackEntry> entries = table.list(kUdp).value();
    for (const ConntrackEntry& entry : entries) {
      if (entry.original.source.port != 4'002) continue;
      EXPECT_TRUE(table.remove(entry).value());
      EXPECT_FALSE(table.remove(entry).value()) << "it is gone, and that is no error";
    }
    EXPECT_EQ(client_ports(table, kUdp), (Ports{4'001, 4'003}));
  });
}

TEST(ConntrackTable, DoesNotForgetALaterFlowWithTheSamePorts) {
  test::in_own_network("telling a flow from its successor", [] {
    ASSERT_TRUE(test::load_rules(kTranslateBoth));
    ConntrackTable table = ConntrackTable::open().value();
    ASSERT_TRUE(send_datagram(AF_INET, "127.0.0.2", 53, 4'001));
    ConntrackEntry entry = table.list(kUdp).value().at(0);
    entry.id ^= 1;
    EXPECT_FALSE(table.remove(entry).value());
    EXPECT_EQ(client_ports(table, kUdp), Ports{4'001});
  });
}

TEST(ConntrackTable, ListsThousandsInOneGo) {
  test::in_own_network("long lists", [] {
    ASSERT_TRUE(test::load_rules(kTranslateBoth));
    ConntrackTable table = ConntrackTable::open().value();
    Ports expected;
    for (std::uint16_t port = 10'000; port < 13'000; ++port) {
      ASSERT_TRUE(send_datagram(AF_INET, "127.0.0.2", 53, port));
      expected.push_back(port);
    }
    EXPECT_EQ(client_ports(table, kUdp), expected);
  });
}

}  // namespace
}  // namespace proxima::dataplane
