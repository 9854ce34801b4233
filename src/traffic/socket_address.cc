// SPDX-License-Identifier: Apache-2.0
#include "traffic/socket_address.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace proxima::traffic {

namespace {

int connect_to(const Descriptor& socket, const void* address, socklen_t size) {
  const auto* generic = static_cast<const sockaddr*>(address);
  return connect(socket.number(), generic, size) == 0 ? 0 : errno;
}

}  // namespace

Descriptor make_tcp_socket(IpFamily family) {
  return Descriptor(socket(family == IpFamily::V4 ? AF_INET : AF_INET6,
                           SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

int start_connect(const Descriptor& socket, const IpAddress& address, std::uint16_t port) {
  if (address.family() == IpFamily::V4) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&v4.sin_addr, address.bytes().data(), sizeof v4.sin_addr);
    return connect_to(socket, &v4, sizeof v4);
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  std::memcpy(&v6.sin6_addr, address.bytes().data(), sizeof v6.sin6_addr);
  return connect_to(socket, &v6, sizeof v6);
}

}  // namespace proxima::traffic
