// SPDX-License-Identifier: Apache-2.0
// Which Services have a health check port on this node, and what load balancers are told there;
// kept up to date from the changes of a route table.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "proxy/route_changes.h"

namespace proxima::proxy {

struct HealthCheckPort {
  std::uint16_t node_port = 0;
  std::uint32_t local_ready = 0;  // see service_health_answer()
  friend bool operator==(const HealthCheckPort&, const HealthCheckPort&) = default;
};

class HealthCheckPorts {
 public:
  using Name = std::pair<Text, Text>;  // namespace and Service

  // `after`: the table that the changes led to.
  void apply(const RouteTable& after, const RouteChanges& changes);
  const std::map<Name, HealthCheckPort>& all() const { return ports_; }

 private:
  std::map<Name, HealthCheckPort> ports_;
};

}  // namespace proxima::proxy
