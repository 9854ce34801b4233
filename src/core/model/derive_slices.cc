// SPDX-License-Identifier: Apache-2.0
#include "core/model/derive_slices.h"

#include <algorithm>
#include <tuple>

#include "core/model/pod_selection.h"

namespace proxima::model {
namespace {

// Pods whose ports resolve alike share slices.
struct PortGroup {
  std::vector<EndpointPort> ports;
  std::vector<const Pod*> pods;
};

bool is_eligible(const Pod& pod) {
  return pod.phase != PodPhase::Succeeded && pod.phase != PodPhase::Failed &&
         pod.addresses.size > 0;
}

class ServiceSlices {
 public:
  ServiceSlices(const Snapshot& snapshot, ServiceIndex index)
      : snapshot_(snapshot), index_(index), service_(snapshot.services[index.value()]) {}

  void derive(const std::vector<PodIndex>& selected, DerivedSlices& out) {
    for (PodIndex index : selected) {
      const Pod& pod = snapshot_.pods[index.value()];
      if (!is_eligible(pod)) continue;
      PortGroup& group = group_of(resolved_ports(pod));
      if (!pod.node && !service_.publish_not_ready) {
        out.skipped.push_back({index, index_});
      } else {
        group.pods.push_back(&pod);
      }
    }
    if (service_.has_v4) pack(IpFamily::V4, out);
    if (service_.has_v6) pack(IpFamily::V6, out);
  }

 private:
  // A name that no container of the Pod has leaves that one port out, without an error.
  std::vector<EndpointPort> resolved_ports(const Pod& pod) const {
    std::vector<EndpointPort> ports;
    for (const ServicePort& port : Snapshot::part(snapshot_.service_ports, service_.ports)) {
      const std::uint16_t number = port.target_name ? named_port(pod, port) : port.target_port;
      if (number != 0) ports.push_back({port.name, port.protocol, number, port.app_protocol});
    }
    std::sort(ports.begin(), ports.end(), [&](const EndpointPort& a, const EndpointPort& b) {
      return port_key(a) < port_key(b);
    });
    return ports;
  }

  std::uint16_t named_port(const Pod& pod, const ServicePort& wanted) const {
    for (const ContainerPort& port : Snapshot::part(snapshot_.container_ports, pod.container_ports))
      if (port.name == wanted.target_name && port.protocol == wanted.protocol) return port.port;
    return 0;
  }

  std::tuple<std::string_view, std::string_view, std::uint16_t, std::string_view> port_key(
      const EndpointPort& port) const {
    const StringPool& names = snapshot_.names;
    return {names[port.name], names[port.protocol], port.port, names[port.app_protocol]};
  }

  PortGroup& group_of(std::vector<EndpointPort> ports) {
    auto same = [](const EndpointPort& a, const EndpointPort& b) {
      return std::tie(a.name, a.protocol, a.port, a.app_protocol) ==
             std::tie(b.name, b.protocol, b.port, b.app_protocol);
    };
    for (PortGroup& group : groups_)
      if (std::ranges::equal(group.ports, ports, same)) return group;
    return groups_.emplace_back(PortGroup{std::move(ports), {}});
  }

  void pack(IpFamily family, DerivedSlices& out) const {
    const std::size_t first = out.slices.size();
    for (const PortGroup& group : groups_) {
      const std::vector<Endpoint> endpoints = endpoints_of(group, family);
      for (std::size_t at = 0; at < endpoints.size(); at += kMaxDerivedEndpointsPerSlice) {
        const std::size_t end = std::min(endpoints.size(), at + kMaxDerivedEndpointsPerSlice);
        DerivedSlice& slice = out.slices.emplace_back();
        slice.ports = group.ports;
        slice.endpoints.assign(endpoints.begin() + static_cast<std::ptrdiff_t>(at),
                               endpoints.begin() + static_cast<std::ptrdiff_t>(end));
      }
    }
    if (out.slices.size() == first) out.slices.emplace_back();  // the empty slice that must exist
    name_slices(std::span(out.slices).subspan(first), family);
  }

  std::vector<Endpoint> endpoints_of(const PortGroup& group, IpFamily family) const {
    std::vector<Endpoint> endpoints;
    for (const Pod* pod : group.pods) {
      for (const IpAddress& address : Snapshot::part(snapshot_.pod_addresses, pod->addresses)) {
        if (address.family() != family) continue;
        endpoints.push_back(endpoint_of(*pod, address));
        break;  // consumers use the first address only
      }
    }
    std::sort(endpoints.begin(), endpoints.end(), [&](const Endpoint& a, const Endpoint& b) {
      return std::tuple(a.address, snapshot_.names[a.pod]) <
             std::tuple(b.address, snapshot_.names[b.pod]);
    });
    return endpoints;
  }

  Endpoint endpoint_of(const Pod& pod, const IpAddress& address) const {
    auto condition = [](bool value) { return value ? Condition::True : Condition::False; };
    Endpoint endpoint;
    endpoint.address = address;
    endpoint.node = pod.node;
    if (pod.node) endpoint.zone = snapshot_.nodes[pod.node.value()].zone;
    endpoint.serving = condition(pod.ready);
    endpoint.terminating = condition(pod.terminating);
    endpoint.ready = condition(service_.publish_not_ready || (pod.ready && !pod.terminating));
    endpoint.weight = pod.weight;
    endpoint.pod = pod.name;
    return endpoint;
  }

  // Numbers of equal width keep the order of names the order of slices.
  void name_slices(std::span<DerivedSlice> slices, IpFamily family) const {
    const std::size_t width = std::to_string(slices.size()).size();
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      slices[i].service = index_;
      slices[i].family = family;
      slices[i].name = std::string(snapshot_.names[service_.name]) +
                       (family == IpFamily::V4 ? "-ipv4-" : "-ipv6-") +
                       std::string(width - number.size(), '0') + number;
    }
  }

  const Snapshot& snapshot_;
  ServiceIndex index_;
  const Service& service_;
  std::vector<PortGroup> groups_;
};

}  // namespace

DerivedSlices derive_slices(const Snapshot& snapshot) {
  DerivedSlices derived;
  const PodSelection selection(snapshot);
  for (std::size_t i = 0; i < snapshot.services.size(); ++i) {
    const Service& service = snapshot.services[i];
    if (!service.has_selector || service.type == ServiceType::ExternalName) continue;
    ServiceSlices(snapshot, ServiceIndex(i)).derive(selection.pods_of(service), derived);
  }
  return derived;
}

}  // namespace proxima::model
