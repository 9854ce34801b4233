// SPDX-License-Identifier: Apache-2.0
#include "base/ip_address.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima {
namespace {

TEST(IpAddress, PrintsCanonically) {
  const struct {
    const char* name;
    const char* text;
    const char* canonical;
    IpFamily family;
  } cases[] = {
      {"IPv4 as it is", "10.0.3.7", "10.0.3.7", IpFamily::V4},
      {"leading zeros are decimal", "010.001.000.009", "10.1.0.9", IpFamily::V4},
      {"IPv6 in lower case", "2001:DB8::A", "2001:db8::a", IpFamily::V6},
      {"leading zeros of a group go", "2001:0db8:0000:0001::1", "2001:db8:0:1::1", IpFamily::V6},
      {"the longest run of zeros is shortened", "1:0:0:2:0:0:0:3", "1:0:0:2::3", IpFamily::V6},
      {"the first of equal runs is shortened", "1:0:0:2:3:0:0:4", "1::2:3:0:0:4", IpFamily::V6},
      {"a single zero group stays", "1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7", IpFamily::V6},
      {"all zeros", "0:0:0:0:0:0:0:0", "::", IpFamily::V6},
      {"zeros at the end", "fe80:1:0:0:0:0:0:0", "fe80:1::", IpFamily::V6},
      {"the loopback address", "0:0:0:0:0:0:0:1", "::1", IpFamily::V6},
      {"a small address stays hexadecimal", "::1.2.3.4", "::102:304", IpFamily::V6},
      {"IPv4-mapped is IPv4", "::ffff:10.1.2.3", "10.1.2.3", IpFamily::V4},
      {"leading zeros are decimal there too", "::ffff:010.1.02.3", "10.1.2.3", IpFamily::V4},
      {"IPv4-mapped in hexadecimal too", "::FFFF:0a01:0203", "10.1.2.3", IpFamily::V4},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto parsed = IpAddress::parse(c.text);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->text(), c.canonical);
    EXPECT_EQ(parsed->family(), c.family);
    EXPECT_EQ(*IpAddress::parse(parsed->text()), *parsed);
  }
}

TEST(IpAddress, RefusesWhatIsNone) {
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"nothing", ""},
      {"a name", "localhost"},
      {"three octets", "10.0.1"},
      {"five octets", "10.0.1.2.3"},
      {"an octet past 255", "10.0.0.256"},
      {"a huge octet", "10.0.0.99999999999999999999"},
      {"an empty octet", "10..0.1"},
      {"a port", "10.0.0.1:80"},
      {"a prefix length", "10.0.0.0/8"},
      {"a blank", "10.0.0.1 "},
      {"a negative octet", "10.0.0.-1"},
      {"two double colons", "1::2::3"},
      {"nine groups", "1:2:3:4:5:6:7:8:9"},
      {"a group of five digits", "12345::"},
      {"a zone", "fe80::1%eth0"},
      {"brackets", "[::1]"},
      {"a NUL byte", std::string("::1\0", 4)},
      {"far too long", std::string(1000, '1')},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto parsed = IpAddress::parse(c.text);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, ErrorCode::InvalidInput);
  }
}

TEST(IpAddress, OrdersByFamilyThenByNumber) {
  EXPECT_LT(*IpAddress::parse("10.0.0.9"), *IpAddress::parse("10.0.0.10"));
  EXPECT_LT(*IpAddress::parse("255.255.255.255"), *IpAddress::parse("::1"));
}

}  // namespace
}  // namespace proxima
