// SPDX-License-Identifier: Apache-2.0
// Against the kernel, in a network namespace of the test's own.
#include "proxy/conntrack_flows.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "support/own_network.h"

namespace proxima::proxy {
namespace {

// Loads conntrack in the namespace, and no more.
constexpr const char* kTrack =
    "table ip t {\n chain out {\n type filter hook output priority 0; ct state new accept\n}\n}\n";

bool send_datagram(std::uint16_t to_port) {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(to_port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool sent =
      ::sendto(descriptor, "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 1;
  ::close(descriptor);
  return sent;
}

TEST(ConntrackFlows, AreListedAndForgottenOneByOne) {
  test::in_own_network("forgetting UDP flows", [] {
    ASSERT_TRUE(test::load_rules(kTrack));
    ConntrackFlows flows = ConntrackFlows::open().value();
    for (const std::uint16_t port : std::vector<std::uint16_t>{5'001, 5'002, 5'003})
      ASSERT_TRUE(send_datagram(port));
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
