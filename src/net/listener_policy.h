// SPDX-License-Identifier: Apache-2.0
// What a listener grants to those who connect: how many, for how long, and how much they may send
// before the server knows who they are. Every listener of every component has one; docs/security.md
// shows them side by side.
//
// A connection is unauthenticated until the handler has admitted a request on it by its header (see
// HttpHandler::admit). When there is no slot left, the oldest unauthenticated connection is closed,
// and only when there is none the one that has been idle longest. A connection with an admitted
// request under way is never closed for a newcomer.
//
// At most three quarters of the slots, and of those of an address, have an admitted request under
// way, watches among them; so there is always room for those who come. Who begins one too many
// costs the holder with the most its oldest (see Admission::holder), not others.
//
// Slots bound descriptors; memory needs bounds of its own, because a TLS connection costs about
// 80 kB before it has said anything, and a body as much as it may be long.
#pragma once

#include <chrono>
#include <cstddef>

namespace proxima::net {

struct ListenerPolicy {
  std::size_t slots = 1024;  // connections at once
  // Of them for one IPv4 address, or for one /64 of IPv6, which a single host can have for itself.
  // Beyond that the address loses its own connections, never those of others.
  std::size_t slots_per_address = 128;
  // Of them unauthenticated at a time; a newcomer beyond that takes the place of the oldest.
  std::size_t stranger_slots = 1024;
  std::size_t header_bytes_max = 64U << 10U;
  std::size_t body_bytes_max = 3U << 20U;
  std::size_t unauthenticated_body_bytes_max = 0;
  // Of all bodies together, from their first byte until their replies begin; who would exceed it is
  // answered 503 with Retry-After.
  std::size_t bodies_bytes_max = 64U << 20U;
  // From the connection to the end of its first request's header, TLS included; later, without
  // authentication, between two requests.
  std::chrono::milliseconds unauthenticated_idle{10'000};
  std::chrono::milliseconds authenticated_idle{120'000};  // between two requests
  // From the first byte of a request to its last, however steadily they come. The first header of a
  // connection has less time: see unauthenticated_idle.
  std::chrono::milliseconds request_deadline{30'000};
  std::chrono::milliseconds write_stall{30'000};  // a reader that takes nothing is cut
  // From the first byte of a reply to its last, without authentication, however steadily it is
  // read: what is being sent is in memory. Not of bodies that come in pieces.
  std::chrono::milliseconds unauthenticated_reply{30'000};
};

}  // namespace proxima::net
