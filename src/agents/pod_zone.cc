// SPDX-License-Identifier: Apache-2.0
#include "agents/pod_zone.h"

#include <algorithm>

#include "agents/lab_objects.h"
#include "agents/node_duty.h"
#include "agents/place_pod.h"

namespace proxima::agents {

bool selects(const kube::ServiceRecord& service, const kube::PodRecord& pod) {
  if (!service.selector || service.selector->all().empty()) return false;
  if (service.meta.ns != pod.ns) return false;
  const auto& wanted = service.selector->all();
  return std::all_of(wanted.begin(), wanted.end(), [&](const kube::LabelText& one) {
    return kube::label(pod.labels, one.key.view()) == one.value;
  });
}

std::string zone_of(const kube::PodRecord& pod,
                    const kube::CacheSnapshot<kube::NodeRecord>& nodes) {
  const kube::NodeRecord* node = pod.node ? nodes.peek({{}, pod.node.view()}) : nullptr;
  return std::string(node != nullptr ? zone_of(*node).view() : wished_zone(pod).view());
}

bool is_client(const kube::PodRecord& pod) { return pod.ns.view() == kClientNamespace; }

bool is_wanted(const kube::PodRecord& pod) {
  return !pod.terminating && pod.phase != model::PodPhase::Succeeded &&
         pod.phase != model::PodPhase::Failed;
}

}  // namespace proxima::agents
