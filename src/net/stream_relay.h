// SPDX-License-Identifier: Apache-2.0
// Passes bytes between connections that come in at a listening socket and connections that it makes
// to a port of the loopback address, in both directions, one thread for all. Which network
// namespace a socket belongs to is the caller's matter: it makes them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "net/listening_socket.h"

namespace proxima::net {

struct RelayTarget {
  // Makes an IPv4 TCP socket, not connected; called on the relay's thread for each connection.
  std::function<Result<int>()> make_socket;
  std::uint16_t port = 0;  // of 127.0.0.1, as that socket sees it
};

// What one listening socket has at a time; more are turned away.
inline constexpr std::size_t kRelayConnectionsMax = 256;

class StreamRelay {
 public:
  static std::unique_ptr<StreamRelay> create();
  // Ends all connections.
  virtual ~StreamRelay() = default;

  // From any thread; returns a number for remove().
  virtual std::uint64_t add(ListeningSocket listener, RelayTarget target) = 0;
  // Closes the listening socket and ends its connections; returns when that is done. Numbers that
  // are not there are ignored.
  virtual void remove(std::uint64_t number) = 0;
};

}  // namespace proxima::net
