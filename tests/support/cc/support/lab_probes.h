// SPDX-License-Identifier: Apache-2.0
// What passes between the hosts of a lab, and whether there can be one here.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ip_address.h"
#include "lab/network_namespace.h"

namespace proxima::test {

// True where this machine refuses namespaces; the refusal itself is looked at then.
template <class T>
bool refused_here(const Result<T>& made) {
  if (made) return false;
  EXPECT_EQ(made.error().code, ErrorCode::Denied) << made.error().message;
  std::printf("not shown: no namespaces here: %s\n", made.error().message.c_str());
  return true;
}

// Whether a process ends, or has ended; one that nobody has waited for counts as gone.
inline bool gone_within(pid_t pid, std::chrono::milliseconds patience) {
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (handle < 0) return true;
  pollfd waiting{.fd = handle, .events = POLLIN, .revents = 0};
  const bool gone = ::poll(&waiting, 1, static_cast<int>(patience.count())) == 1;
  ::close(handle);
  return gone;
}

// IPv4 as IPv6 sockets have it.
inline sockaddr_in6 socket_address(const std::optional<IpAddress>& address, std::uint16_t port) {
  sockaddr_in6 out{};
  out.sin6_family = AF_INET6;
  out.sin6_port = htons(port);
  if (!address) return out;
  const auto& bytes = address->bytes();
  if (address->family() == IpFamily::V6) {
    std::memcpy(&out.sin6_addr, bytes.data(), 16);
  } else {
    out.sin6_addr.s6_addr[10] = out.sin6_addr.s6_addr[11] = 0xff;
    std::memcpy(&out.sin6_addr.s6_addr[12], bytes.data(), 4);
  }
  return out;
}

// One datagram from `from` to `to`, whose address is `address`.
inline bool datagram_passes(const lab::NetworkNamespace& from, const lab::NetworkNamespace& to,
                            const IpAddress& address,
                            std::chrono::milliseconds patience = std::chrono::seconds(2)) {
  int receiver = -1;
  const sockaddr_in6 any = socket_address(std::nullopt, 0);
  sockaddr_in6 at = socket_address(address, 0);
  const Status listening = to.run([&]() -> Status {
    receiver = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(receiver, reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
    sockaddr_in6 bound{};
    socklen_t size = sizeof bound;
    EXPECT_EQ(::getsockname(receiver, reinterpret_cast<sockaddr*>(&bound), &size), 0);
    at.sin6_port = bound.sin6_port;
    return Unit{};
  });
  EXPECT_TRUE(listening);
  const timeval time{patience.count() / 1000, patience.count() % 1000 * 1000};
  ::setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  const Status sent = from.run([&]() -> Status {
    const int sender = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    // Whether anybody gets it is seen at the other end.
    (void)::sendto(sender, "x", 1, 0, reinterpret_cast<const sockaddr*>(&at), sizeof at);
    ::close(sender);
    return Unit{};
  });
  EXPECT_TRUE(sent);
  char got = 0;
  const bool passed = ::recv(receiver, &got, 1, 0) == 1;
  ::close(receiver);
  return passed;
}

}  // namespace proxima::test
