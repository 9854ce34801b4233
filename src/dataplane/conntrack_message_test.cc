// SPDX-License-Identifier: Apache-2.0
#include "dataplane/conntrack_message.h"

#include <gtest/gtest.h>

#include <string>

#include <linux/netlink.h>

#include "support/ip.h"

namespace proxima::dataplane {
namespace {

using test::ip;

// What the kernel sends for a connection, written by hand from its header: tests of encoding and
// decoding must not only agree with each other.
class Written {
 public:
  Written& attribute(int type, const std::string& bytes) {
    const std::size_t length = bytes.size() + 4;
    for (const std::size_t part : {length, static_cast<std::size_t>(type)}) {
      body_.push_back(static_cast<char>(part & 0xff));
      body_.push_back(static_cast<char>(part >> 8));
    }
    body_ += bytes;
    body_.resize((body_.size() + 3) / 4 * 4);
    return *this;
  }
  const std::string& body() const { return body_; }
  std::string message(std::uint16_t type) const {
    nlmsghdr header{};
    header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + 4 + body_.size());
    header.nlmsg_type = type;
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
           std::string("\2\0\0\0", 4) + body_;
  }

 private:
  std::string body_;
};

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text.push_back(static_cast<char>(value));
  return text;
}

std::string tuple(const std::string& from, const std::string& to, const std::string& from_port,
                  const std::string& to_port) {
  return Written()
      .attribute(0x8001, Written().attribute(1, from).attribute(2, to).body())
      .attribute(
          0x8002,
          Written().attribute(1, bytes({17})).attribute(2, from_port).attribute(3, to_port).body())
      .body();
}

constexpr std::uint16_t kNew = 1 << 8;

std::optional<ConntrackEntry> decoded(std::string_view bytes) {
  const std::optional<NetlinkMessage> message = next_message(bytes);
  return message ? decode_conntrack(*message) : std::nullopt;
}

std::string connection() {
  return Written()
      .attribute(0x8001, tuple(bytes({10, 0, 0, 9}), bytes({10, 96, 0, 1}), bytes({0x9c, 0x40}),
                               bytes({0, 53})))
      .attribute(0x8002, tuple(bytes({10, 1, 2, 3}), bytes({10, 0, 0, 9}), bytes({0x14, 0xe9}),
                               bytes({0x9c, 0x40})))
      .attribute(3, bytes({0, 0, 1, 0xa8}))
      .attribute(8, bytes({0, 0, 0x40, 0}))
      .attribute(0x8009, Written()
                             .attribute(1, bytes({0, 0, 0, 0, 0, 0, 0, 2}))
                             .attribute(2, bytes({0, 0, 0, 1, 0, 0, 0, 7}))
                             .body())
      .attribute(0x800a, Written().attribute(2, bytes({0, 0, 0, 0, 0, 0, 0, 9})).body())
      .attribute(12, bytes({1, 2, 3, 4}))
      .attribute(18, bytes({0, 5}))
      .message(kNew);
}

TEST(ConntrackMessage, IsReadAsTheKernelWritesIt) {
  const std::optional<ConntrackEntry> entry = decoded(connection());
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->original.protocol, kProtocolUdp);
  EXPECT_EQ(entry->original.source, (ConntrackEnd{ip("10.0.0.9"), 40'000}));
  EXPECT_EQ(entry->original.destination, (ConntrackEnd{ip("10.96.0.1"), 53}));
  EXPECT_EQ(entry->reply.source, (ConntrackEnd{ip("10.1.2.3"), 5'353}));
  EXPECT_EQ(entry->reply.destination, (ConntrackEnd{ip("10.0.0.9"), 40'000}));
  EXPECT_EQ(entry->status, 0x1a8U);
  EXPECT_EQ(entry->mark, 0x4000U);
  EXPECT_EQ(entry->sent, (ConntrackCounters{.packets = 2, .bytes = (1ULL << 32) + 7}));
  EXPECT_EQ(entry->answered, (ConntrackCounters{.packets = 0, .bytes = 9}));
  EXPECT_EQ(entry->id, 0x01020304U);
  EXPECT_EQ(entry->zone, 5);
}

TEST(ConntrackMessage, IsNothingWhenCutOffAnywhere) {
  const std::string whole = connection();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(decoded(std::string_view(whole).substr(0, length))) << length;
  }
}

TEST(ConntrackMessage, SurvivesEveryChangedByte) {
  const std::string whole = connection();
  std::size_t understood = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      understood += decoded(changed).has_value() ? 1 : 0;
    }
  }
  EXPECT_GT(understood, 0U);
  EXPECT_LT(understood, 3 * whole.size());
}

TEST(ConntrackMessage, OfAnotherSubsystemIsNothing) {
  EXPECT_FALSE(decoded(Written().message(2 << 8)));
  EXPECT_FALSE(decoded(Written().message(kNew)));
}

TEST(ConntrackMessage, OfAProtocolWithoutPortsIsNothing) {
  const std::string end = Written()
                              .attribute(0x8001, Written()
                                                     .attribute(1, bytes({10, 0, 0, 1}))
                                                     .attribute(2, bytes({10, 0, 0, 2}))
                                                     .body())
                              .attribute(0x8002, Written().attribute(1, bytes({1})).body())
                              .body();
  EXPECT_FALSE(decoded(Written().attribute(0x8001, end).attribute(0x8002, end).message(kNew)));
}

TEST(ConntrackQuery, LooksAtFamilyProtocolAndStatus) {
  const ConntrackEntry entry = *decoded(connection());
  const struct {
    const char* name;
    ConntrackQuery query;
    bool matches;
  } cases[] = {
      {"everything", {}, true},
      {"all of the family", {.family = IpFamily::V4}, true},
      {"the other family", {.family = IpFamily::V6}, false},
      {"its protocol", {.protocol = kProtocolUdp}, true},
      {"another protocol", {.protocol = kProtocolTcp}, false},
      {"translated", {.status = kConntrackDestinationNat}, true},
      {"translated and ending", {.status = kConntrackDestinationNat | kConntrackDying}, false},
  };
  for (const auto& row : cases) EXPECT_EQ(matches(row.query, entry), row.matches) << row.name;
}

}  // namespace
}  // namespace proxima::dataplane
