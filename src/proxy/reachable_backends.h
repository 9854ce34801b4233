// SPDX-License-Identifier: Apache-2.0
// All backends of a port that this node sends anything to, by whichever policy: what session
// affinity remembers, and among which a Pod may meet itself.
#pragma once

#include <vector>

#include "proxy/route_table.h"

namespace proxima::proxy {

// By address, each once; weights are those of cluster-wide traffic where there are two.
Backends reachable_backends(const PortRoutes& routes);

// Those on this node: traffic from such an address to itself is masqueraded, whatever else holds.
std::vector<BackendAddress> hairpin_backends(const PortRoutes& routes);

}  // namespace proxima::proxy
