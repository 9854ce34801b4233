// SPDX-License-Identifier: Apache-2.0
// What becomes of the first packet of a connection, read off a route table: a model to hold
// rendered rules and real kernels against.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "proxy/route_table.h"

namespace proxima::proxy {

struct Packet {
  IpAddress source;
  IpAddress destination;
  kube::Protocol protocol = kube::Protocol::Tcp;
  std::uint16_t port = 0;
  std::string_view input_interface = {};  // "": sent by the node itself
};

struct PacketTarget {
  BackendAddress at;
  bool masquerade = false;
  std::uint32_t weight = 1;
  friend bool operator==(const PacketTarget&, const PacketTarget&) = default;
};

struct PacketFate {
  enum class Kind : std::uint8_t {
    Pass,     // no service's: as if there were no proxy
    Deliver,  // to one of the targets, by their weights
    Reject,
    Drop,
  };
  Kind kind = Kind::Pass;
  std::vector<PacketTarget> targets;  // of Deliver
  friend bool operator==(const PacketFate&, const PacketFate&) = default;
};
// "10.180.0.1:80, 10.180.0.2:80 masqueraded"; "reject"; "drop"; "pass".
std::string to_text(const PacketFate& fate);

// `local_addresses`: all that the node has, loopback included.
PacketFate trace(const RouteTable& table, std::span<const IpAddress> local_addresses,
                 const Packet& packet);

}  // namespace proxima::proxy
