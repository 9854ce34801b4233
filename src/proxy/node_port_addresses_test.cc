// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_port_addresses.h"

#include <gtest/gtest.h>

namespace proxima::proxy {
namespace {

std::vector<IpAddress> addresses(const std::vector<std::string>& texts) {
  std::vector<IpAddress> parsed;
  for (const std::string& text : texts) parsed.push_back(*IpAddress::parse(text));
  return parsed;
}

const std::vector<IpAddress> kLocal =
    addresses({"127.0.0.1", "192.168.1.3", "192.168.0.2", "10.0.0.5", "192.168.0.2", "::1",
               "fd00::2", "2001:db8::5"});

std::string chosen(const std::vector<std::string>& setting, IpFamily family,
                   const NodeIps& node = node_ips(addresses({"192.168.0.2", "fd00::2"}))) {
  const NodePortAddresses rule = node_port_addresses(setting, family, node, kLocal);
  if (!rule.restricted) return "all";
  std::string text;
  for (const IpAddress& address : rule.addresses)
    text += (text.empty() ? "" : " ") + address.text();
  return text;
}

TEST(NodePortAddresses, AreThoseInsideTheRanges) {
  const struct {
    const char* name;
    std::vector<std::string> setting;
    const char* v4;
    const char* v6;
  } cases[] = {
      {"nothing said", {}, "all", "all"},
      {"a range", {"192.168.0.0/16"}, "192.168.0.2 192.168.1.3", "all"},
      {"a range of each family", {"192.168.0.0/24", "fd00::/16"}, "192.168.0.2", "fd00::2"},
      {"everything beside something", {"192.168.0.0/16", "0.0.0.0/0"}, "all", "all"},
      {"loopback is never one", {"127.0.0.0/8", "::1/128"}, "", ""},
      {"a range that the node is not in", {"172.16.0.0/12"}, "", "all"},
      {"overlapping ranges",
       {"192.168.0.0/16", "192.168.0.0/24"},
       "192.168.0.2 192.168.1.3",
       "all"},
      {"the primary addresses", {"primary"}, "192.168.0.2", "fd00::2"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(chosen(c.setting, IpFamily::V4), c.v4) << c.name;
    EXPECT_EQ(chosen(c.setting, IpFamily::V6), c.v6) << c.name;
  }
}

TEST(NodePortAddresses, OfAFamilyThatTheNodeDoesNotHaveAreNotRestricted) {
  EXPECT_EQ(chosen({"primary"}, IpFamily::V6, node_ips(addresses({"192.168.0.2"}))), "all");
}

TEST(NodeIps, AreTheFirstOfEachFamily) {
  const NodeIps ips =
      node_ips(addresses({"127.0.0.1", "fd00::2", "192.168.0.2", "10.0.0.5", "fd00::9"}));
  EXPECT_EQ(ips.v4->text(), "192.168.0.2");
  EXPECT_EQ(ips.v6->text(), "fd00::2");
  EXPECT_FALSE(node_ips({}).v4.has_value());
}

}  // namespace
}  // namespace proxima::proxy
