// SPDX-License-Identifier: Apache-2.0
// TCP sockets to IP addresses, as far as clients need them.
#pragma once

#include <cstdint>

#include "base/descriptor.h"
#include "base/ip_address.h"

namespace proxima::traffic {

// A non-blocking TCP socket of the calling thread's network namespace; not open: the system
// refuses.
Descriptor make_tcp_socket(IpFamily family);
// 0, or errno; EINPROGRESS is how it usually begins.
int start_connect(const Descriptor& socket, const IpAddress& address, std::uint16_t port);

}  // namespace proxima::traffic
