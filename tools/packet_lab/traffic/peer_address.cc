// SPDX-License-Identifier: Apache-2.0
#include "packet_lab/traffic/peer_address.h"

#include <arpa/inet.h>

#include <array>

namespace proxima::traffic {

std::string text_of(const sockaddr_in6& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr))
    inet_ntop(AF_INET, &address.sin6_addr.s6_addr[12], text.data(), text.size());
  else
    inet_ntop(AF_INET6, &address.sin6_addr, text.data(), text.size());
  return text.data();
}

std::optional<sockaddr_in6> address_of(const std::string& text, std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  const bool v4 = text.find(':') == std::string::npos;
  const std::string mapped = v4 ? "::ffff:" + text : text;
  if (inet_pton(AF_INET6, mapped.c_str(), &address.sin6_addr) != 1) return std::nullopt;
  return address;
}

}  // namespace proxima::traffic
