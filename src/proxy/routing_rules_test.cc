// SPDX-License-Identifier: Apache-2.0
#include "proxy/routing_rules.h"

#include <gtest/gtest.h>

#include "proxy/proxy_config.h"

namespace proxima::proxy {
namespace {

TEST(RoutingRules, AreMadeOfConfigurationNodeAndCluster) {
  ProxyConfig config = default_proxy_config();
  config.cluster_cidrs = {"10.180.0.0/16", "fd00:180::/32"};
  config.masquerade_all = true;
  const auto address = [](const char* text) { return *IpAddress::parse(text); };
  const NodeFacts facts{
      .node_addresses = {address("192.168.0.2"), address("fd00:192::2")},
      .pod_ranges = {},
      .local_addresses = {address("127.0.0.1"), address("192.168.0.2"), address("192.168.1.9"),
                          address("fd00:192::2")},
      .service_ranges = {"fd00:96::/112", "10.97.0.0/16", "10.96.0.0/16", "nonsense"}};

  const RoutingRules v4 = routing_rules(config, IpFamily::V4, facts);
  EXPECT_EQ(v4.detector->range.text(), "10.180.0.0/16");
  EXPECT_TRUE(v4.masquerade_all);
  EXPECT_TRUE(v4.node_ports.restricted);
  ASSERT_EQ(v4.node_ports.addresses.size(), 1U);
  EXPECT_EQ(v4.node_ports.addresses[0].text(), "192.168.0.2");
  EXPECT_EQ(v4.node_address->text(), "192.168.0.2");
  ASSERT_EQ(v4.service_ranges.size(), 2U);
  EXPECT_EQ(v4.service_ranges[0].text(), "10.96.0.0/16");

  const RoutingRules v6 = routing_rules(config, IpFamily::V6, facts);
  EXPECT_EQ(v6.detector->range.text(), "fd00:180::/32");
  EXPECT_EQ(v6.node_address->text(), "fd00:192::2");
  ASSERT_EQ(v6.service_ranges.size(), 1U);
}

TEST(RoutingRules, KnowTheAddressesThatBelongToTheNode) {
  const auto address = [](const char* text) { return *IpAddress::parse(text); };
  const NodeFacts facts{
      .node_addresses = {address("192.168.0.2"), address("203.0.113.5")},
      .pod_ranges = {},
      .local_addresses = {address("127.0.0.1"), address("169.254.25.10"), address("192.168.0.2"),
                          address("10.244.0.1"), address("::1"), address("fe80::1"),
                          address("fd00:192::2")},
      .service_ranges = {}};
  const ProxyConfig config = default_proxy_config();
  EXPECT_EQ(routing_rules(config, IpFamily::V4, facts).own_addresses,
            (std::vector{address("10.244.0.1"), address("192.168.0.2"), address("203.0.113.5")}));
  EXPECT_EQ(routing_rules(config, IpFamily::V6, facts).own_addresses,
            std::vector{address("fd00:192::2")});
}

TEST(RoutingRules, ChangeWithWhatTheyAreMadeOf) {
  const ProxyConfig config = default_proxy_config();
  NodeFacts facts;
  const RoutingRules before = routing_rules(config, IpFamily::V4, facts);
  EXPECT_EQ(before, routing_rules(config, IpFamily::V4, facts));
  facts.service_ranges = {"10.96.0.0/16"};
  EXPECT_FALSE(before == routing_rules(config, IpFamily::V4, facts));
}

}  // namespace
}  // namespace proxima::proxy
