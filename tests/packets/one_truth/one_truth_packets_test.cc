// SPDX-License-Identifier: Apache-2.0
// What `explain` says is what packets do: random worlds whose slices are published, the rules of
// one node's proxy in a kernel, and datagrams to the Service from there, counted by the endpoint
// that they reach. PROXIMA_PACKET_WORLDS sets how many, PROXIMA_SEED the first.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cstdlib>
#include <iostream>

#include "core/plan/explain.h"
#include "proxy/nft_data_plane.h"
#include "published_world.h"
#include "support/own_network.h"

namespace proxima::truth {
namespace {

constexpr std::size_t kDatagrams = 1500;
constexpr std::size_t kAtOnce = 100;  // no more wait in a socket's buffer
constexpr int kPatience = 10'000;     // milliseconds, for what is on its way
// A world whose counts are less likely than this is wrong, and not unlucky.
constexpr double kUnlikely = 1e-7;
// As proxy/slot_assignment.h promises.
constexpr double kSlotStep = 0.0205;

std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* given = std::getenv(name);
  return given == nullptr ? fallback : std::strtoull(given, nullptr, 10);
}

// Every address of clients, Pods and Services is the loopback interface's.
bool own_all_addresses() {
  return std::system(
             "ip route add local 10.0.0.0/8 dev lo && "
             "ip -6 route add local fd00::/16 dev lo && "
             "ip -6 address add fd00::1/128 dev lo nodad") == 0;
}

// IPv4 as IPv6 sockets have it.
sockaddr_in6 at(const char* address, std::uint16_t port) {
  sockaddr_in6 out{};
  out.sin6_family = AF_INET6;
  out.sin6_port = htons(port);
  EXPECT_EQ(inet_pton(AF_INET6, address, &out.sin6_addr), 1) << address;
  return out;
}

// Receives what is sent to any Pod, and says to which.
class AllPods {
 public:
  AllPods() : socket_(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    EXPECT_EQ(::setsockopt(socket_, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on), 0);
    const sockaddr_in6 any = at("::", kPodPort);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
  }
  ~AllPods() { ::close(socket_); }
  AllPods(const AllPods&) = delete;
  AllPods& operator=(const AllPods&) = delete;

  // False: nothing arrived in time.
  bool count_one(std::map<std::string, std::size_t>& counts) {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, kPatience) != 1) return false;
    char byte = 0;
    alignas(cmsghdr) char control[256];
    iovec data{.iov_base = &byte, .iov_len = 1};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    EXPECT_EQ(::recvmsg(socket_, &message, 0), 1);
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
      if (one->cmsg_level != IPPROTO_IPV6 || one->cmsg_type != IPV6_PKTINFO) continue;
      in6_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(one), sizeof info);
      char text[INET6_ADDRSTRLEN] = {};
      inet_ntop(AF_INET6, &info.ipi6_addr, text, sizeof text);
      const std::string_view shown = text;
      ++counts[std::string(shown.starts_with("::ffff:") ? shown.substr(7) : shown)];
    }
    return true;
  }

 private:
  int socket_;
};

// From a port of its own, so that it is a connection of its own. False: it was rejected.
bool send_one(IpFamily family) {
  const bool v4 = family == IpFamily::V4;
  const int sender = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const sockaddr_in6 from = at(v4 ? "::ffff:10.0.0.1" : "fd00::1", 0);
  const sockaddr_in6 to = at(v4 ? "::ffff:10.96.0.1" : "fd00:96::1", kServicePort);
  EXPECT_EQ(::bind(sender, reinterpret_cast<const sockaddr*>(&from), sizeof from), 0);
  const auto sent = ::sendto(sender, "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  ::close(sender);
  return sent == 1;
}

// How unlikely the counts are, were the shares true.
double likelihood(const std::map<std::string, std::size_t>& counts, const Shares& shares) {
  double sum = 0;
  for (const auto& [address, share] : shares) {
    const auto found = counts.find(address);
    const double expected = share * kDatagrams;
    const double off = static_cast<double>(found == counts.end() ? 0 : found->second) - expected;
    sum += off * off / expected;
  }
  if (shares.size() < 2) return 1;
  const boost::math::chi_squared distribution(static_cast<double>(shares.size() - 1));
  return boost::math::cdf(boost::math::complement(distribution, sum));
}

void expect_packets_follow(const World& world, const PublishedWorld& published, std::size_t node) {
  const IpFamily family = published.families().back();
  const proxy::RouteTable routes = published.routes(node, family);
  const Answer said = published.explained(node, family, plan::RouteSource::Published);
  const Answer slots = PublishedWorld::in_slots(routes);
  const std::string context = describe(world) + published.annotations() + "\nfrom node-" +
                              std::to_string(node) + ": " + said.why;

  auto socket = dataplane::NftSocket::open();
  ASSERT_TRUE(socket) << socket.error().message;
  proxy::NftSocketKernel kernel(std::move(*socket));
  proxy::NftDataPlane plane(family, {}, kernel);
  const Status loaded = plane.adopt(routes);
  ASSERT_TRUE(loaded) << loaded.error().message;

  AllPods pods;
  std::map<std::string, std::size_t> counts;
  for (std::size_t sent = 0; sent < kDatagrams; sent += kAtOnce) {
    for (std::size_t i = 0; i < kAtOnce; ++i)
      ASSERT_EQ(send_one(family), !said.shares.empty()) << context;
    for (std::size_t i = 0; i < kAtOnce && !said.shares.empty(); ++i)
      ASSERT_TRUE(pods.count_one(counts)) << context;
  }
  for (const auto& [address, count] : counts)
    EXPECT_TRUE(said.shares.contains(address)) << context << "\n" << address << " got " << count;
  for (const auto& [address, share] : said.shares)
    EXPECT_NEAR(slots.shares.contains(address) ? slots.shares.at(address) : 0, share, kSlotStep)
        << context;
  EXPECT_GT(likelihood(counts, slots.shares), kUnlikely)
      << context << "\n"
      << ::testing::PrintToString(counts) << "\ninstead of "
      << ::testing::PrintToString(slots.shares);
}

TEST(OneTruthPackets, ReachTheEndpointsThatExplainNames) {
  const std::uint64_t worlds = setting("PROXIMA_PACKET_WORLDS", 200);
  const std::uint64_t seed = setting("PROXIMA_SEED", 1);
  std::cout << "PROXIMA_PACKET_WORLDS=" << worlds << " PROXIMA_SEED=" << seed << '\n';
  for (std::uint64_t i = 0; i < worlds && !HasFailure(); ++i) {
    test::in_own_network("packets of random worlds", [&] {
      ASSERT_TRUE(own_all_addresses());
      const World world = random_world(seed + i);
      const PublishedWorld published(world, Moment::HalfWritten);
      expect_packets_follow(world, published, world.seed % world.nodes.size());
    });
  }
}

TEST(OneTruthPackets, StayInARequiredZoneUnlessItFailsOver) {
  using std::chrono::minutes;
  const struct {
    const char* name;
    const char* failover;
    minutes later;
    std::size_t node;
    bool arrive;
  } rows[] = {
      {"to the endpoint of their zone", "none", minutes(0), 0, true},
      {"rejected where the zone has none", "none", minutes(0), 1, false},
      {"to another zone within the budget", "for=10m", minutes(9), 1, true},
      {"rejected when the budget is used up", "for=10m", minutes(10), 1, false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    test::in_own_network(row.name, [&] {
      ASSERT_TRUE(own_all_addresses());
      const World world =
          two_zones({{"proxima.io/policy", "require-zone"}, {"proxima.io/failover", row.failover}},
                    row.later);
      const PublishedWorld published(world, Moment::Settled);
      const Answer said = published.explained(row.node, IpFamily::V4, plan::RouteSource::Published);
      ASSERT_EQ(!said.shares.empty(), row.arrive) << said.why;
      expect_packets_follow(world, published, row.node);
    });
  }
}

}  // namespace
}  // namespace proxima::truth
