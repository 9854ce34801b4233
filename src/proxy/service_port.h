// SPDX-License-Identifier: Apache-2.0
// A port of a Service as the proxy of one address family sees it. What only the planner looks at
// (annotations, traffic distribution) is not here: the proxy follows what the slices say.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ip_prefix.h"
#include "base/shared_list.h"
#include "kube/service_record.h"

namespace proxima::proxy {

struct ServicePortKey {
  Text ns;
  Text service;
  Text port;  // "" for an unnamed port
  kube::Protocol protocol = kube::Protocol::Tcp;
  friend auto operator<=>(const ServicePortKey&, const ServicePortKey&) = default;
  friend bool operator==(const ServicePortKey&, const ServicePortKey&) = default;
};
// "shop/web:http/TCP"; "shop/web/TCP" for an unnamed port.
std::string to_text(const ServicePortKey& key);

struct ServicePort {
  ServicePortKey key;
  IpAddress cluster_ip;
  std::uint16_t port = 0;
  std::uint16_t node_port = 0;  // 0: none
  // Lists are the Service's, and all its ports share them.
  SharedList<IpAddress> external_ips;       // of the family, as written
  SharedList<IpAddress> refused_ips;        // external ones that are addresses of this node
  SharedList<IpAddress> load_balancer_ips;  // those that clients address
  SharedList<IpPrefix> source_ranges;       // for load_balancer_ips; empty: everyone
  std::uint32_t affinity_seconds = 0;       // 0: no affinity
  // With affinity: the Service has so many ports that each remembers fewer clients, so that all of
  // them together remember no more than a few ports do.
  bool remembers_fewer_clients = false;
  std::uint16_t health_check_node_port = 0;  // 0: none
  bool internal_policy_local = false;
  bool external_policy_local = false;
  // Through anything but the cluster address. External addresses count even when they are not
  // routed, as upstream has it.
  bool externally_accessible = false;

  friend bool operator==(const ServicePort&, const ServicePort&) = default;
};

struct ServicePortOptions {
  bool routes_external_ips = true;  // feature gate AllowServiceExternalIPs
};

// None when the Service has no cluster address of the family. In the order of the Service's ports.
std::vector<ServicePort> service_ports(const kube::ServiceRecord& service, IpFamily family,
                                       const ServicePortOptions& options);

}  // namespace proxima::proxy
