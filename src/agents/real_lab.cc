// SPDX-License-Identifier: Apache-2.0
#include "agents/real_lab.h"

namespace proxima::agents {

Result<MachineAddresses> RealLab::add_node(const std::string& node) {
  PROXIMA_TRY(const lab::HostAddresses added, network_.add_node(node), "node " + node);
  return MachineAddresses{added.v4, added.v6};
}

Status RealLab::remove_node(const std::string& node) { return network_.remove_node(node); }

Status RealLab::set_power(const std::string& node, Power power) {
  return network_.set_power(node, power == Power::On);
}

Result<MachineAddresses> RealLab::add_pod(const std::string& node, const std::string& pod) {
  PROXIMA_TRY(const lab::HostAddresses added, network_.add_pod(node, pod), "Pod " + pod);
  return MachineAddresses{added.v4, added.v6};
}

Status RealLab::remove_pod(const std::string& pod) { return network_.remove_pod(pod); }

Status RealLab::start_backend(const PodPlace& place, std::uint16_t port) {
  traffic::BackendSpec spec;
  spec.pod = place.pod;
  spec.node = place.node;
  spec.zone = place.zone;
  spec.port = port;
  return farm_.start(spec, network_.inside(place.pod));
}

Status RealLab::start_client(const PodPlace& place) {
  return fleet_.add({place.pod, place.node, place.zone}, network_.inside(place.pod));
}

void RealLab::set_targets(const std::vector<ServiceTarget>& targets) {
  std::vector<traffic::Target> out;
  out.reserve(targets.size());
  for (const ServiceTarget& target : targets)
    out.push_back({target.service, target.address, target.port, target.share});
  fleet_.set_targets(std::move(out));
}

void RealLab::set_demand(double requests_per_second, const std::map<std::string, double>& zones) {
  fleet_.set_demand(zones);
  fleet_.set_rate(requests_per_second);
}

}  // namespace proxima::agents
