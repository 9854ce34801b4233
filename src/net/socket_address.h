// SPDX-License-Identifier: Apache-2.0
// An IP address and a port as the kernel takes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ip_address.h"

struct sockaddr;

namespace proxima::net {

class SocketAddress {
 public:
  SocketAddress(const IpAddress& address, std::uint16_t port);

  const sockaddr* get() const;
  unsigned size() const { return size_; }

 private:
  alignas(8) std::array<std::byte, 28> bytes_{};  // room for one of IPv6
  unsigned size_ = 0;
};

}  // namespace proxima::net
