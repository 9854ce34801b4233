// SPDX-License-Identifier: Apache-2.0
#include "slices/port_group.h"

#include <algorithm>

namespace proxima::slices {

PortGroup& PortGroups::of(const kube::PodRecord& pod) {
  const kube::PodWorkload* workload = named_ ? pod.workload.get() : nullptr;
  if (last_ != nullptr && last_workload_ == workload) return *last_;
  const auto [known, is_new] = by_workload_.try_emplace(workload, nullptr);
  if (is_new) known->second = &groups_[resolve_ports(service_, workload)];
  last_workload_ = workload;
  last_ = known->second;
  return *last_;
}

PortGroup* PortGroups::find(const EndpointPorts& ports) {
  if (std::is_sorted(ports.begin(), ports.end(), port_less)) {
    const auto found = groups_.find(ports);
    return found == groups_.end() ? nullptr : &found->second;
  }
  EndpointPorts sorted = ports;
  std::sort(sorted.begin(), sorted.end(), port_less);
  return find(sorted);
}

}  // namespace proxima::slices
