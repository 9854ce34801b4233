// SPDX-License-Identifier: Apache-2.0
// What a listener grants to those who connect: how many, for how long, and how much they may send
// before the server knows who they are. Every listener of every component has one; docs/security.md
// shows them side by side.
//
// A connection is unauthenticated until the handler has admitted a request on it by its header (see
// HttpHandler::admit). When there is no slot left, the oldest unauthenticated connection is closed,
// and only when there is none the one that has been idle longest. A connection with an admitted
// request under way is never closed to make room; if all are, the newcomer is answered 503.
#pragma once

#include <chrono>
#include <cstddef>

namespace proxima::net {

struct ListenerPolicy {
  std::size_t slots = 1024;  // connections at once
  // Of them for one IPv4 address, or for one /64 of IPv6, which a single host can have for itself.
  // Beyond that the address loses its own connections, never those of others.
  std::size_t slots_per_address = 128;
  std::size_t header_bytes_max = 64U << 10U;
  std::size_t body_bytes_max = 3U << 20U;
  std::size_t unauthenticated_body_bytes_max = 0;
  // From the connection to the end of its first request's header, TLS included; later, without
  // authentication, between two requests.
  std::chrono::milliseconds unauthenticated_idle{10'000};
  std::chrono::milliseconds authenticated_idle{120'000};  // between two requests
  // From the first byte of a request to its last, however steadily they come. The first header of a
  // connection has less time: see unauthenticated_idle.
  std::chrono::milliseconds request_deadline{30'000};
  std::chrono::milliseconds write_stall{30'000};  // a reader that takes nothing is cut
};

}  // namespace proxima::net
