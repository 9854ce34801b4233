// SPDX-License-Identifier: Apache-2.0
#include "agents/service_targets.h"

#include <algorithm>

#include "agents/lab_objects.h"
#include "agents/pod_zone.h"

namespace proxima::agents {
namespace {

const kube::ServicePortRecord* first_tcp(const kube::ServiceRecord& service) {
  const auto found = std::find_if(service.ports.begin(), service.ports.end(), [](const auto& port) {
    return port.protocol == kube::Protocol::Tcp;
  });
  return found == service.ports.end() ? nullptr : &*found;
}

bool is_reachable(const kube::ServiceRecord& service) {
  return service.meta.ns.view() != "kube-system" && !service.headless &&
         !service.meta.terminating && service.type != model::ServiceType::ExternalName &&
         !service.cluster_ips.empty() && first_tcp(service) != nullptr;
}

struct PodCount {
  std::size_t wanted = 0;
  std::size_t ready = 0;
};

PodCount pods_of(const kube::ServiceRecord& service, const PodSnapshot& pods) {
  PodCount count;
  pods.each_in_namespace(service.meta.ns.view(), [&](const Ref<const kube::PodRecord>& pod) {
    if (!selects(service, *pod) || !is_wanted(*pod)) return;
    ++count.wanted;
    if (pod->ready) ++count.ready;
  });
  return count;
}

std::uint16_t target_of(const kube::ServicePortRecord& port, const kube::PodRecord& pod) {
  if (!port.target_name) return port.target_port != 0 ? port.target_port : port.port;
  for (const kube::ContainerPortRecord& named : pod.workload->ports)
    if (named.name == port.target_name && named.protocol == port.protocol) return named.port;
  return 0;
}

}  // namespace

std::vector<ServiceTarget> service_targets(const ServiceSnapshot& services, const PodSnapshot& pods,
                                           const std::set<std::string>& present,
                                           const std::map<std::string, double>& parts) {
  std::vector<ServiceTarget> targets;
  double sum = 0;
  services.each([&](const Ref<const kube::ServiceRecord>& service) {
    if (!is_reachable(*service)) return;
    const std::string key = kube::to_text(service->key());
    const PodCount count = pods_of(*service, pods);
    if (count.wanted == 0 || (count.ready == 0 && !present.contains(key))) return;
    const auto part = parts.find(key);
    const double share = part == parts.end() ? 1 : part->second;
    sum += share;
    targets.push_back({key, service->cluster_ips.front(), first_tcp(*service)->port, share});
  });
  for (ServiceTarget& target : targets) target.share = sum > 0 ? target.share / sum : 0;
  return targets;
}

std::uint16_t backend_port(const kube::PodRecord& pod, const ServiceSnapshot& services,
                           std::uint16_t present) {
  std::vector<std::uint16_t> wanted;
  services.each_in_namespace(pod.ns.view(), [&](const Ref<const kube::ServiceRecord>& service) {
    if (!selects(*service, pod)) return;
    for (const kube::ServicePortRecord& port : service->ports) {
      const std::uint16_t target = target_of(port, pod);
      if (port.protocol == kube::Protocol::Tcp && target != 0) wanted.push_back(target);
    }
  });
  if (wanted.empty()) return present != 0 ? present : kBackendPort;
  const bool stays = std::find(wanted.begin(), wanted.end(), present) != wanted.end();
  return stays ? present : wanted.front();
}

}  // namespace proxima::agents
