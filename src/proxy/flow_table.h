// SPDX-License-Identifier: Apache-2.0
// The flows that a kernel tracks, as far as the node proxy looks at them: UDP, see stale_flows.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ip_address.h"
#include "base/result.h"
#include "proxy/stale_flows.h"

namespace proxima::proxy {

// What TrackedFlow says, and the rest of what makes a flow this one and no other.
struct UdpFlow {
  TrackedFlow tracked;
  BackendAddress original_source;
  BackendAddress reply_destination;
  std::uint32_t id = 0;    // the kernel's number: a later flow with the same ports has another
  std::uint16_t zone = 0;  // of the tracking, not of the topology
};

class FlowTable {
 public:
  virtual ~FlowTable() = default;

  // All of one family. An error, and no list, where some could be missing.
  virtual Result<std::vector<UdpFlow>> udp_flows(IpFamily family) = 0;
  // How many are gone now that were there; one that has ended meanwhile is no error.
  virtual Result<std::size_t> forget(std::span<const UdpFlow> flows) = 0;
};

}  // namespace proxima::proxy
