// SPDX-License-Identifier: Apache-2.0
#include "base/ip_prefix.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

TEST(IpPrefix, ReadsWhatKubernetesStores) {
  const struct {
    const char* name;
    const char* text;
    const char* printed;  // nullptr: refused
  } cases[] = {
      {"a plain range", "10.0.0.0/8", "10.0.0.0/8"},
      {"bits after the prefix are cleared", "10.1.2.3/12", "10.0.0.0/12"},
      {"leading zeros are decimal", "010.001.0.0/16", "10.1.0.0/16"},
      {"everything", "0.0.0.0/0", "0.0.0.0/0"},
      {"one address", "192.0.2.1/32", "192.0.2.1/32"},
      {"IPv6", "fd00:10:96::1/112", "fd00:10:96::/112"},
      {"everything in IPv6", "::/0", "::/0"},
      {"no length", "10.0.0.0", nullptr},
      {"a length that is too long", "10.0.0.0/33", nullptr},
      {"a length that is no number", "10.0.0.0/8x", nullptr},
      {"an empty length", "10.0.0.0/", nullptr},
      {"no address", "/8", nullptr},
      {"nothing", "", nullptr},
  };
  for (const auto& c : cases) {
    const auto prefix = IpPrefix::parse(c.text);
    ASSERT_EQ(prefix.has_value(), c.printed != nullptr) << c.name;
    if (prefix) {
      EXPECT_EQ(prefix->text(), c.printed) << c.name;
    }
  }
}

TEST(IpPrefix, ContainsTheAddressesOfItsRange) {
  const struct {
    const char* prefix;
    const char* address;
    bool inside;
  } cases[] = {
      {"10.0.0.0/8", "10.255.255.255", true}, {"10.0.0.0/8", "11.0.0.0", false},
      {"10.0.0.0/9", "10.127.0.1", true},     {"10.0.0.0/9", "10.128.0.1", false},
      {"0.0.0.0/0", "203.0.113.9", true},     {"0.0.0.0/0", "2001:db8::1", false},
      {"192.0.2.1/32", "192.0.2.1", true},    {"192.0.2.1/32", "192.0.2.2", false},
      {"fd00::/112", "fd00::ffff", true},     {"fd00::/112", "fd00::1:0", false},
      {"fd00::/8", "10.0.0.1", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(IpPrefix::parse(c.prefix)->contains(*IpAddress::parse(c.address)), c.inside)
        << c.address << " in " << c.prefix;
  }
}

TEST(IpPrefix, CanBeOneAddress) {
  EXPECT_EQ(IpPrefix(*IpAddress::parse("192.0.2.7")).text(), "192.0.2.7/32");
  EXPECT_EQ(IpPrefix(*IpAddress::parse("fd00::7")).text(), "fd00::7/128");
}

}  // namespace
}  // namespace proxima
