// SPDX-License-Identifier: Apache-2.0
// A server that answers TCP and UDP, IPv4 and IPv6, with its name and the address it saw.
//
// TCP: "NAME ADDRESS\n" at once and for every line; it closes after the line "bye", so that clients
// keep no closed connection of their own and ports can be used again. To "give N" it sends N bytes.
// UDP: the name and the address for a datagram.
#pragma once

#include <cstdint>
#include <string>

namespace proxima::traffic {

// Until the process ends; returns only when it cannot listen.
int serve(const std::string& name, std::uint16_t port);

}  // namespace proxima::traffic
