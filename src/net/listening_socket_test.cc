// SPDX-License-Identifier: Apache-2.0
#include "net/listening_socket.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "support/raw_socket.h"

namespace proxima::net {
namespace {

using support::RawSocket;

// What a connection to the port meets: 0, or errno. Two seconds at most.
int knock(std::uint16_t port, int patience_ms = 2'000) {
  const RawSocket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_in address = support::loopback(port);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.descriptor(), generic, sizeof address) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd waiting{socket.descriptor(), POLLOUT, 0};
  if (::poll(&waiting, 1, patience_ms) == 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

TEST(ListeningSocket, TakesConnectionsOfBothFamilies) {
  const auto all = ListeningSocket::open("", 0);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_GT(all->port(), 0);
  EXPECT_EQ(knock(all->port()), 0);
  const auto one = ListeningSocket::open("127.0.0.1", 0);
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->is_v6());
  EXPECT_EQ(knock(one->port()), 0);
}

TEST(ListeningSocket, IsClosedByItsOwner) {
  std::uint16_t port = 0;
  {
    auto first = ListeningSocket::open("127.0.0.1", 0).value();
    port = first.port();
    const ListeningSocket second = std::move(first);
    EXPECT_EQ(second.port(), port);
    EXPECT_EQ(knock(port), 0);
  }
  EXPECT_EQ(knock(port), ECONNREFUSED);
}

TEST(ListeningSocket, SaysWhereItCouldNotListen) {
  const auto taken = ListeningSocket::open("127.0.0.1", 0).value();
  const auto again = ListeningSocket::open("127.0.0.1", taken.port());
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("127.0.0.1, port " + std::to_string(taken.port())),
            std::string::npos);
  const auto no_address = ListeningSocket::open("nowhere", 80);
  ASSERT_FALSE(no_address);
  EXPECT_NE(no_address.error().message.find("nowhere"), std::string::npos);
}

TEST(ListeningSocket, TurnsNewcomersAwayAndKeepsThoseWhoCame) {
  const auto socket = ListeningSocket::open("127.0.0.1", 0).value();
  const RawSocket early = RawSocket::connect(socket.port());
  turn_newcomers_away(socket.descriptor());
  EXPECT_EQ(knock(socket.port(), 300), ETIMEDOUT);
  const RawSocket accepted(::accept(socket.descriptor(), nullptr, nullptr));
  ASSERT_GE(accepted.descriptor(), 0);
  EXPECT_TRUE(early.send("hello"));
  EXPECT_EQ(accepted.receive(), "hello");
}

}  // namespace
}  // namespace proxima::net
