// SPDX-License-Identifier: Apache-2.0
// UDP over IPv4 for tests, in the network namespace of the calling thread.
#pragma once

#include <cstdint>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxima::test {

inline sockaddr_in ipv4(const char* address, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  ::inet_pton(AF_INET, address, &out.sin_addr);
  return out;
}
inline const sockaddr* plain(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// From port `from_port`; whether anybody gets it is another question.
inline bool send_datagram(const char* to, std::uint16_t to_port, std::uint16_t from_port,
                          std::string_view payload) {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const sockaddr_in from = ipv4("0.0.0.0", from_port);
  const sockaddr_in target = ipv4(to, to_port);
  bool sent = ::bind(descriptor, plain(from), sizeof from) == 0;
  sent = sent && ::sendto(descriptor, payload.data(), payload.size(), 0, plain(target),
                          sizeof target) == static_cast<ssize_t>(payload.size());
  ::close(descriptor);
  return sent;
}

}  // namespace proxima::test
