// SPDX-License-Identifier: Apache-2.0
// Which Services clients send requests to, and where Pods have to listen for them. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/lab_ports.h"
#include "kube/cache_snapshot.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::agents {

using PodSnapshot = kube::CacheSnapshot<kube::PodRecord>;
using ServiceSnapshot = kube::CacheSnapshot<kube::ServiceRecord>;

// Every Service that has a cluster IP, a selector and a TCP port, outside of kube-system. A Service
// joins when one of its Pods is ready for the first time, and leaves with its last Pod: while Pods
// are there but none is ready, requests fail, because that is what users of the Service see.
// `present` are the targets so far; `parts` are those of Services whose part is not 1.
std::vector<ServiceTarget> service_targets(const ServiceSnapshot& services, const PodSnapshot& pods,
                                           const std::set<std::string>& present,
                                           const std::map<std::string, double>& parts);

// Where a Pod has to listen: at the first TCP target of the first Service that selects it. The port
// `present` stays as long as any of them wants it; 0: none yet.
std::uint16_t backend_port(const kube::PodRecord& pod, const ServiceSnapshot& services,
                           std::uint16_t present);

}  // namespace proxima::agents
