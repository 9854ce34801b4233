// SPDX-License-Identifier: Apache-2.0
// Against answers that are made here, and against the kernel in a network namespace of the test's
// own.
#include "dataplane/conntrack_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <deque>

#include <arpa/inet.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netlink.h>
#include <netinet/in.h>

#include "dataplane/netlink_writer.h"
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

// Messages as a kernel answers them.
class AnswerWriter {
 public:
  explicit AnswerWriter(std::uint32_t sequence) : sequence_(sequence) {}

  std::string flow(std::uint32_t id, std::uint16_t flags = 0) const {
    NetlinkWriter out;
    out.begin_message({.type = NFNL_SUBSYS_CTNETLINK << 8 | IPCTNL_MSG_CT_NEW,
                       .flags = static_cast<std::uint16_t>(NLM_F_MULTI | flags),
                       .sequence = sequence_,
                       .family = AF_INET});
    for (const std::uint16_t tuple : {CTA_TUPLE_ORIG, CTA_TUPLE_REPLY}) put_tuple(out, tuple);
    out.put_u32(CTA_ID, id);
    out.end_message();
    return out.take();
  }
  // `error`: 0, or why there is no more.
  std::string end(int error, std::uint16_t flags = 0, std::uint16_t type = NLMSG_DONE) const {
    struct {
      nlmsghdr header{};
      int number = 0;
    } message;
    message.header.nlmsg_len = sizeof message;
    message.header.nlmsg_type = type;
    message.header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_MULTI | flags);
    message.header.nlmsg_seq = sequence_;
    message.number = -error;
    return {reinterpret_cast<const char*>(&message), sizeof message};
  }

 private:
  static void put_tuple(NetlinkWriter& out, std::uint16_t tuple) {
    const std::size_t nest = out.open_nest(tuple);
    const std::size_t addresses = out.open_nest(CTA_TUPLE_IP);
    for (const std::uint16_t end : {CTA_IP_V4_SRC, CTA_IP_V4_DST})
      out.put(end, std::string_view("\x0a\0\0\1", 4));
    out.close_nest(addresses);
    const std::size_t protocol = out.open_nest(CTA_TUPLE_PROTO);
    out.put(CTA_PROTO_NUM, "\x11");
    for (const std::uint16_t port : {CTA_PROTO_SRC_PORT, CTA_PROTO_DST_PORT})
      out.put(port, std::string_view("\0\x35", 2));
    out.close_nest(protocol);
    out.close_nest(nest);
  }

  std::uint32_t sequence_;
};

// One pass is the datagrams up to an end.
struct AnsweringKernel {
  std::deque<std::string> datagrams;
  std::string read;
  int passes = 0;

  Result<std::string_view> next() {
    if (datagrams.empty()) return Error{ErrorCode::Retry, "no answer"};
    read = std::move(datagrams.front());
    datagrams.pop_front();
    return std::string_view(read);
  }
  // "1 2", or the error.
  std::string list() {
    const auto entries = list_in_one_pass([this](const ConntrackVisitor& visitor) {
      ++passes;
      return read_conntrack_list([this] { return next(); }, kUdp, 7, visitor);
    });
    if (!entries) return entries.error().message;
    std::string ids;
    for (const ConntrackEntry& entry : *entries)
      ids += (ids.empty() ? "" : " ") + std::to_string(entry.id);
    return ids;
  }
};

TEST(ConntrackList, APassThatTheKernelCallsInterruptedIsBegunAnew) {
  const AnswerWriter our(7);
  const AnswerWriter earlier(6);
  const std::string whole = our.flow(1) + our.flow(2) + our.end(0);
  const struct {
    const char* name;
    std::deque<std::string> datagrams;
    int passes;
    const char* list;
  } rows[] = {
      {"nothing interrupts it", {whole}, 1, "1 2"},
      {"it comes in pieces", {our.flow(1), our.flow(2), our.end(0)}, 1, "1 2"},
      {"a flow says so, and the end does not",
       {our.flow(2, NLM_F_DUMP_INTR), our.end(0), whole},
       2,
       "1 2"},
      {"the end alone says so", {our.flow(2) + our.end(0, NLM_F_DUMP_INTR), whole}, 2, "1 2"},
      {"the end is an error that says so", {our.flow(2), our.end(EINTR), whole}, 2, "1 2"},
      {"an error message says so", {our.flow(2), our.end(EINTR, 0, NLMSG_ERROR), whole}, 2, "1 2"},
      {"an answer to an earlier question says nothing of this one",
       {earlier.flow(3, NLM_F_DUMP_INTR) + earlier.end(EINTR), whole},
       1,
       "1 2"},
      {"another error ends it",
       {our.flow(1), our.end(ENOMEM), whole},
       1,
       "connection tracking: list connections: the kernel answers: Cannot allocate memory"},
      {"no end comes", {our.flow(1)}, 1, "connection tracking: list connections: no answer"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    AnsweringKernel kernel{.datagrams = row.datagrams, .read = {}};
    EXPECT_EQ(kernel.list(), row.list);
    EXPECT_EQ(kernel.passes, row.passes);
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
