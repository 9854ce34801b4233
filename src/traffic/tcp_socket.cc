// SPDX-License-Identifier: Apache-2.0
#include "traffic/tcp_socket.h"

#include <sys/socket.h>

#include <cerrno>

#include "net/socket_address.h"

namespace proxima::traffic {

Descriptor make_tcp_socket(IpFamily family) {
  return Descriptor(socket(family == IpFamily::V4 ? AF_INET : AF_INET6,
                           SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

int start_connect(const Descriptor& socket, const IpAddress& address, std::uint16_t port) {
  const net::SocketAddress to(address, port);
  return connect(socket.number(), to.get(), to.size()) == 0 ? 0 : errno;
}

}  // namespace proxima::traffic
