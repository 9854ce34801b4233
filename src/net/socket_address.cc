// SPDX-License-Identifier: Apache-2.0
#include "net/socket_address.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace proxima::net {

SocketAddress::SocketAddress(const IpAddress& address, std::uint16_t port) {
  static_assert(sizeof(sockaddr_in) <= sizeof bytes_ && sizeof(sockaddr_in6) <= sizeof bytes_);
  if (address.family() == IpFamily::V4) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&v4.sin_addr, address.bytes().data(), sizeof v4.sin_addr);
    std::memcpy(bytes_.data(), &v4, size_ = sizeof v4);
  } else {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    std::memcpy(&v6.sin6_addr, address.bytes().data(), sizeof v6.sin6_addr);
    std::memcpy(bytes_.data(), &v6, size_ = sizeof v6);
  }
}

const sockaddr* SocketAddress::get() const {
  return reinterpret_cast<const sockaddr*>(bytes_.data());
}

}  // namespace proxima::net
