// SPDX-License-Identifier: Apache-2.0
// Against the kernel, in a network namespace of the test's own.
#include "proxy/conntrack_flows.h"

#include <gtest/gtest.h>

#include "support/datagrams.h"
#include "support/own_network.h"

namespace proxima::proxy {
namespace {

// Loads conntrack in the namespace, and no more.
constexpr const char* kTrack =
    "table ip t {\n chain out {\n type filter hook output priority 0; ct state new accept\n}\n}\n";

TEST(ConntrackFlows, AreListedAndForgottenOneByOne) {
  test::in_own_network("forgetting UDP flows", [] {
    ASSERT_TRUE(test::load_rules(kTrack));
    ConntrackFlows flows = ConntrackFlows::open().value();
    for (const std::uint16_t port : std::vector<std::uint16_t>{5'001, 5'002, 5'003})
      ASSERT_TRUE(test::send_datagram("127.0.0.1", port, 4'001, "x"));
    const std::vector<UdpFlow> all = flows.udp_flows(IpFamily::V4).value();
    ASSERT_EQ(all.size(), 3U);
    std::vector<UdpFlow> stale;
    for (const UdpFlow& flow : all) {
      if (flow.tracked.original_destination.port != 5'002) stale.push_back(flow);
    }
    EXPECT_EQ(flows.forget(stale).value(), 2U);
    EXPECT_EQ(flows.forget(stale).value(), 0U) << "gone is no error";
    const std::vector<UdpFlow> left = flows.udp_flows(IpFamily::V4).value();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].tracked.original_destination.port, 5'002);
    EXPECT_EQ(left[0].tracked.reply_source, left[0].tracked.original_destination);
    EXPECT_EQ(left[0].reply_destination, left[0].original_source);
    EXPECT_TRUE(flows.udp_flows(IpFamily::V6).value().empty());
  });
}

}  // namespace
}  // namespace proxima::proxy
