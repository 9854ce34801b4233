// SPDX-License-Identifier: Apache-2.0
#include "slices/endpoint_ports.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace proxima::slices {
namespace {

std::optional<std::int32_t> target_number(const kube::ServicePortRecord& wanted,
                                          const kube::PodWorkload* workload) {
  if (!wanted.target_name) return wanted.target_port;
  if (workload == nullptr) return std::nullopt;
  for (const kube::ContainerPortRecord& port : workload->ports)
    if (port.name == wanted.target_name && port.protocol == wanted.protocol) return port.port;
  return std::nullopt;
}

}  // namespace

bool port_less(const kube::EndpointPortRecord& a, const kube::EndpointPortRecord& b) {
  return std::tie(a.name, a.protocol, a.port, a.app_protocol) <
         std::tie(b.name, b.protocol, b.port, b.app_protocol);
}

bool PortsLess::operator()(const EndpointPorts& a, const EndpointPorts& b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), port_less);
}

EndpointPorts resolve_ports(const kube::ServiceRecord& service, const kube::PodWorkload* workload) {
  EndpointPorts ports;
  ports.reserve(service.ports.size());
  for (const kube::ServicePortRecord& port : service.ports) {
    if (const auto number = target_number(port, workload))
      ports.push_back({.name = port.name ? port.name : Text(""),
                       .protocol = Text(kube::to_text(port.protocol)),
                       .port = *number,
                       .app_protocol = port.app_protocol});
  }
  std::sort(ports.begin(), ports.end(), port_less);
  return ports;
}

bool has_named_target(const kube::ServiceRecord& service) {
  return std::any_of(
      service.ports.begin(), service.ports.end(),
      [](const kube::ServicePortRecord& port) { return port.target_name.has_value(); });
}

}  // namespace proxima::slices
