// SPDX-License-Identifier: Apache-2.0
// What a lab is made of, as values: zones with nodes, Services with Pods by zone, and traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::agents {

// What one machine carries without trouble; LabNetwork's own limits are a little higher.
inline constexpr std::size_t kLabNodesMax = 50;
inline constexpr std::size_t kPodsOfAServiceInAZoneMax = 50;
inline constexpr double kRequestsPerSecondMax = 5000;
// Of a Service that says nothing else.
inline constexpr const char* kDefaultNamespace = "shop";

struct ZoneShape {
  std::string name;
  std::size_t nodes = 0;
  double demand = 1;  // its part of the traffic, beside the other zones' parts
};

struct ServiceShape {
  std::string ns = kDefaultNamespace;
  std::string name;
  std::map<std::string, std::size_t> endpoints;  // Pods by zone
  std::string policy;                            // as the annotation has it; empty: none
  std::string overload;                          // likewise
  double share = 1;                              // of the requests, beside the other Services'
  std::uint16_t port = 80;                       // of the Service; its Pods listen on 8080

  std::string key() const { return ns + "/" + name; }
};

struct LabShape {
  std::vector<ZoneShape> zones;
  std::vector<ServiceShape> services;
  double requests_per_second = 60;
};

// Three zones of two nodes; shop/even with 2, 2 and 2 Pods, shop/lopsided with 2, 1 and 1, and
// shop/single with 3, 0 and 0; all of them with policy auto.
LabShape default_shape();

// Everything that would be refused later, with the field's name: "services[1].endpoints.zone-x: no
// such zone; there are zone-a, zone-b".
struct ShapeFault {
  std::string field;
  std::string message;
};
std::optional<ShapeFault> fault_in(const LabShape& shape);

}  // namespace proxima::agents
