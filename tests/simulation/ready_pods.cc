// SPDX-License-Identifier: Apache-2.0
#include "simulation/ready_pods.h"

#include <algorithm>

#include "simulation/cluster_objects.h"
#include "simulation/cluster_world.h"

namespace proxima::simulation {

void ReadyPods::note(const StoreChange& change) {
  if (is_hostile(change.key)) return;
  const json::object* now = store_.find(change.kind, change.key);
  const Moment moment{scheduler_.now(), change.version};
  if (change.kind == "nodes") {
    if (now == nullptr) nodes_.erase(change.key);
    if (now != nullptr) nodes_.emplace(change.key, moment);
  } else if (change.kind == "pods") {
    const bool ready = now != nullptr && is_ready(*now);
    if (!ready) pods_.erase(change.key);
    if (ready) pods_.emplace(change.key, moment);
  } else if (change.kind == "services") {
    if (now == nullptr) {
      services_.erase(change.key);
      return;
    }
    const json::value spec = section(*now, "spec");
    const auto found = services_.find(change.key);
    if (found == services_.end() || found->second.spec != spec)
      services_.insert_or_assign(change.key, Unchanged{spec, moment});
  }
}

std::optional<ReadyPods::Reasons> ReadyPods::find(const std::string& service,
                                                  const std::string& address) const {
  const auto known = services_.find(service);
  const auto parsed = IpAddress::parse(address);
  if (known == services_.end() || !parsed) return std::nullopt;
  const json::object& object = *store_.find("services", service);
  if (!has_family(object, parsed->family())) return std::nullopt;
  for (const auto& [key, moment] : pods_) {
    const json::object& pod = *store_.find("pods", key);
    if (pod_address(pod, parsed->family()) != address || !is_selected(object, pod)) continue;
    const auto node = nodes_.find(node_of(pod));
    if (node == nodes_.end()) return std::nullopt;
    return Reasons{moment, known->second.moment, node->second};
  }
  return std::nullopt;
}

}  // namespace proxima::simulation
