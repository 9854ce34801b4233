// SPDX-License-Identifier: Apache-2.0
// Which tracked UDP flows must be forgotten after a change: UDP has no end that a kernel sees, so a
// client that keeps its port would be sent to a backend that is gone for as long as it talks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "proxy/route_table.h"

namespace proxima::proxy {

// Of a UDP flow of the table's family: what the client addressed, and who answers.
struct TrackedFlow {
  BackendAddress original_destination;
  BackendAddress reply_source;
};

// Positions of flows to a service that has serving endpoints, of which none is the flow's.
// Policies, hints and termination do not count: changing those must not touch what flows. Flows
// that were never translated, to a service that had no endpoint then, are stale too.
std::vector<std::size_t> stale_flows(const RouteTable& table, std::span<const TrackedFlow> flows);

}  // namespace proxima::proxy
