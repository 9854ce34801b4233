// SPDX-License-Identifier: Apache-2.0
#include "proxy/health_check_ports.h"

namespace proxima::proxy {

void HealthCheckPorts::apply(const RouteTable& after, const RouteChanges& changes) {
  for (const PortChange& change : changes.ports) {
    const ServicePortKey& key = (change.after ? change.after : change.before)->port.key;
    // All ports of a Service say the same, and one of them may be all that is left.
    const auto left = after.ports_of(key.ns, key.service);
    const Name name(key.ns, key.service);
    if (left.empty() || left.front()->port.health_check_node_port == 0) {
      ports_.erase(name);
    } else {
      ports_[name] = {left.front()->port.health_check_node_port, left.front()->local_ready};
    }
  }
}

}  // namespace proxima::proxy
