// SPDX-License-Identifier: Apache-2.0
// Against the kernel, in a network namespace of the test's own.
#include "dataplane/conntrack_events.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dataplane/conntrack_table.h"
#include "support/datagrams.h"
#include "support/own_network.h"
#include "support/patience.h"

namespace proxima::dataplane {
namespace {

using namespace std::chrono_literals;

constexpr const char* kTranslateIpv4 = R"(
table ip t {
  chain out { type nat hook output priority -100;
    ip daddr 127.0.0.2 udp dport 53 dnat to 127.0.0.3:5353; }
}
)";

void end_all(ConntrackTable& table) {
  const std::vector<ConntrackEntry> entries = table.list({.family = IpFamily::V4}).value();
  for (const ConntrackEntry& entry : entries) ASSERT_TRUE(table.remove(entry).value());
}

TEST(ConntrackEvents, TellTheEndOfTranslatedConnectionsOnly) {
  test::in_own_network("ends of connections as the kernel tells them", [] {
    ASSERT_TRUE(test::load_rules(kTranslateIpv4));
    ASSERT_TRUE(test::write_setting("net.netfilter.nf_conntrack_acct", "1"));
    ConntrackEvents events = ConntrackEvents::open({}).value();
    ConntrackTable table = ConntrackTable::open().value();
    ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, 4'001, "hello"));
    ASSERT_TRUE(test::send_datagram("127.0.0.2", 54, 4'002, "hello"));
    ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, 4'003, ""));
    end_all(table);
    ASSERT_EQ(events.wait(testing::kPatience).value(), ConntrackEvents::Wait::Events);
    std::vector<std::pair<std::uint16_t, std::uint64_t>> ends;
    const auto drained = events.drain([&](const ConntrackEntry& entry) {
      ends.emplace_back(entry.original.source.port, entry.sent.bytes);
      EXPECT_EQ(entry.reply.source.port, 5'353);
    });
    ASSERT_TRUE(drained.has_value());
    std::sort(ends.begin(), ends.end());
    const std::vector<std::pair<std::uint16_t, std::uint64_t>> expected = {{4'001, 33},
                                                                           {4'003, 28}};
    EXPECT_EQ(ends, expected);
    EXPECT_EQ(drained->events, 2U);
    EXPECT_FALSE(drained->lost);
    EXPECT_EQ(events.wait(0ms).value(), ConntrackEvents::Wait::Nothing);
  });
}

TEST(ConntrackEvents, SayWhenSomeWereLostAndGoOn) {
  test::in_own_network("losing events", [] {
    ASSERT_TRUE(test::load_rules(kTranslateIpv4));
    ConntrackEvents events = ConntrackEvents::open({.buffer_bytes = 4'096}).value();
    ConntrackTable table = ConntrackTable::open().value();
    for (std::uint16_t port = 10'000; port < 10'500; ++port) {
      ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, port, "x"));
    }
    end_all(table);
    std::size_t told = 0;
    const auto count = [&](const ConntrackEntry&) { ++told; };
    EXPECT_TRUE(events.drain(count).value().lost);
    EXPECT_LT(told, 500U);
    told = 0;
    ASSERT_TRUE(test::send_datagram("127.0.0.2", 53, 4'001, "x"));
    end_all(table);
    EXPECT_FALSE(events.drain(count).value().lost);
    EXPECT_EQ(told, 1U);
  });
}

TEST(ConntrackEvents, WakeWhoWaits) {
  test::in_own_network("being woken", [] {
    const ConntrackEvents events = ConntrackEvents::open({}).value();
    events.wake();
    EXPECT_EQ(events.wait(testing::kPatience).value(), ConntrackEvents::Wait::Woken);
    EXPECT_EQ(events.pause(testing::kPatience).value(), ConntrackEvents::Wait::Woken)
        << "it stays in force";
  });
}

}  // namespace
}  // namespace proxima::dataplane
