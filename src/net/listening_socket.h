// SPDX-License-Identifier: Apache-2.0
// A TCP socket that listens in the network namespace of the thread that opened it.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace proxima::net {

// Whether a socket at "::" takes the port in IPv4, too.
enum class WildcardFamilies { Both, Ipv6Only };

class ListeningSocket {
 public:
  // `address` empty: every address of both families, or of IPv4 where there is no IPv6. Port 0: any
  // free one. An error names the address.
  static Result<ListeningSocket> open(const std::string& address, std::uint16_t port,
                                      WildcardFamilies families = WildcardFamilies::Both);

  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&& other) noexcept;
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;
  ~ListeningSocket();

  int descriptor() const { return descriptor_; }
  std::uint16_t port() const { return port_; }
  bool is_v6() const { return is_v6_; }
  // The caller closes it.
  int release();

 private:
  ListeningSocket(int descriptor, bool is_v6) : descriptor_(descriptor), is_v6_(is_v6) {}

  int descriptor_ = -1;
  std::uint16_t port_ = 0;
  bool is_v6_ = false;
};

// From now on the kernel drops connections that would begin, and still takes those that have begun:
// closing the socket a little later resets nobody. Best effort.
void turn_newcomers_away(int listening_descriptor);

}  // namespace proxima::net
