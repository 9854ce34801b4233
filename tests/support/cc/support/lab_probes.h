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
#include "support/patience.h"

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

// A socket in `to` that waits for a datagram to `address`, and a way to send one from `from`.
class DatagramProbe {
 public:
  DatagramProbe(const lab::NetworkNamespace& from, const lab::NetworkNamespace& to,
                const IpAddress& address)
      : from_(from), at_(socket_address(address, 0)) {
    const sockaddr_in6 any = socket_address(std::nullopt, 0);
    const Status listening = to.run([&]() -> Status {
      receiver_ = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      EXPECT_EQ(::bind(receiver_, reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
      sockaddr_in6 bound{};
      socklen_t size = sizeof bound;
      EXPECT_EQ(::getsockname(receiver_, reinterpret_cast<sockaddr*>(&bound), &size), 0);
      at_.sin6_port = bound.sin6_port;
      return Unit{};
    });
    EXPECT_TRUE(listening);
  }
  ~DatagramProbe() { ::close(receiver_); }
  DatagramProbe(const DatagramProbe&) = delete;
  DatagramProbe& operator=(const DatagramProbe&) = delete;

  void send() {
    const Status sent = from_.run([&]() -> Status {
      const int sender = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      // Whether anybody gets it is seen at the other end.
      (void)::sendto(sender, "x", 1, 0, reinterpret_cast<const sockaddr*>(&at_), sizeof at_);
      ::close(sender);
      return Unit{};
    });
    EXPECT_TRUE(sent);
  }
  bool arrives_within(std::chrono::milliseconds patience) const {
    pollfd waiting{.fd = receiver_, .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, static_cast<int>(patience.count())) == 1;
  }

 private:
  const lab::NetworkNamespace& from_;
  sockaddr_in6 at_;
  int receiver_ = -1;
};

// Whether one datagram arrives in time: for what must not pass, or must pass at once.
inline bool one_datagram_passes(const lab::NetworkNamespace& from, const lab::NetworkNamespace& to,
                                const IpAddress& address, std::chrono::milliseconds patience) {
  DatagramProbe probe(from, to, address);
  probe.send();
  return probe.arrives_within(patience);
}

// Whether datagrams get through. More than one is sent: the kernel drops those that wait for the
// answer of a neighbour when it gives that neighbour up, which may just happen.
inline bool datagrams_pass(const lab::NetworkNamespace& from, const lab::NetworkNamespace& to,
                           const IpAddress& address) {
  constexpr std::chrono::milliseconds kBetween(100);
  DatagramProbe probe(from, to, address);
  return proxima::testing::eventually([&] {
    probe.send();
    return probe.arrives_within(kBetween);
  });
}

}  // namespace proxima::test
