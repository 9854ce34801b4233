// SPDX-License-Identifier: Apache-2.0
// Socket addresses as text, IPv4 as IPv4 also on a socket for both.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <string>

namespace proxima::traffic {

std::string text_of(const sockaddr_in6& address);
std::optional<sockaddr_in6> address_of(const std::string& text, std::uint16_t port);

}  // namespace proxima::traffic
