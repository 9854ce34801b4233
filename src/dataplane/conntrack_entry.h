// SPDX-License-Identifier: Apache-2.0
// A connection as the kernel tracks it, of any protocol with ports. A UDP flow is one as well.
#pragma once

#include <compare>
#include <cstdint>

#include "base/ip_address.h"

namespace proxima::dataplane {

struct ConntrackEnd {
  IpAddress address;
  std::uint16_t port = 0;
  friend auto operator<=>(const ConntrackEnd&, const ConntrackEnd&) = default;
};

// As packets of one direction carry it.
struct ConntrackTuple {
  std::uint8_t protocol = 0;  // of IP: 6 TCP, 17 UDP, 132 SCTP
  ConntrackEnd source;
  ConntrackEnd destination;
  friend auto operator<=>(const ConntrackTuple&, const ConntrackTuple&) = default;
};

inline constexpr std::uint8_t kProtocolTcp = 6;
inline constexpr std::uint8_t kProtocolUdp = 17;
inline constexpr std::uint8_t kProtocolSctp = 132;

// Counted only while net.netfilter.nf_conntrack_acct was on when the connection began.
struct ConntrackCounters {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  // with headers of the network layer
  friend bool operator==(const ConntrackCounters&, const ConntrackCounters&) = default;
};

// Bits of `status` that are looked at.
inline constexpr std::uint32_t kConntrackSeenReply = 1U << 1;
inline constexpr std::uint32_t kConntrackDestinationNat = 1U << 5;
inline constexpr std::uint32_t kConntrackDying = 1U << 9;

struct ConntrackEntry {
  ConntrackTuple original;  // as the client sent it, before any translation
  ConntrackTuple reply;     // as the answer comes, before it is translated back
  std::uint16_t zone = 0;
  std::uint32_t id =
      0;  // with `original` and `zone`: tells a connection from one that had its ports
  std::uint32_t status = 0;
  std::uint32_t mark = 0;
  ConntrackCounters sent;      // by the client
  ConntrackCounters answered;  // by who answers
  friend bool operator==(const ConntrackEntry&, const ConntrackEntry&) = default;
};

}  // namespace proxima::dataplane
