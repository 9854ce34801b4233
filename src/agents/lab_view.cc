// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_view.h"

#include <algorithm>

#include "agents/pod_zone.h"
#include "agents/service_targets.h"

namespace proxima::agents {
namespace {

using PodRef = Ref<const kube::PodRecord>;
using NodeRef = Ref<const kube::NodeRecord>;

LabNodeStatus node_status(const kube::NodeRecord& node, const LabWishes& wishes) {
  LabNodeStatus status;
  status.name = node.meta.name.view();
  status.zone = zone_of(node).view();
  if (!node.internal_ips.empty()) status.address = node.internal_ips.front().text();
  status.power = wishes.cuts.contains(status.name) ? Power::Off : Power::On;
  status.ready = node.ready;
  status.cordoned = node.unschedulable;
  return status;
}

LabPodStatus pod_status(const kube::PodRecord& pod, const AgentView& view) {
  LabPodStatus status;
  status.ns = pod.ns.view();
  status.name = pod.name.view();
  status.node = pod.node.view();
  status.zone = zone_of(pod, view.nodes);
  if (!pod.addresses.all().empty()) status.address = pod.addresses.all().front().text();
  status.ready = pod.ready;
  status.terminating = pod.terminating;
  status.client = is_client(pod);
  view.services.each_in_namespace(status.ns, [&](const Ref<const kube::ServiceRecord>& service) {
    if (selects(*service, pod)) status.services.push_back(kube::to_text(service->key()));
  });
  return status;
}

std::vector<LabZoneStatus> zone_statuses(const std::vector<LabNodeStatus>& nodes,
                                         const DemandShares& demand) {
  std::map<std::string, LabZoneStatus> zones;
  for (const LabNodeStatus& node : nodes) {
    auto [found, is_new] = zones.try_emplace(node.zone);
    LabZoneStatus& zone = found->second;
    zone.name = node.zone;
    zone.failed = (is_new || zone.failed) && node.power == Power::Off;
    ++zone.nodes;
  }
  std::vector<LabZoneStatus> out;
  for (auto& [name, zone] : zones) {
    if (const auto share = demand.find(name); share != demand.end()) zone.demand = share->second;
    out.push_back(std::move(zone));
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> nodes_of(const AgentView& view) {
  std::map<std::string, std::string> nodes;
  view.nodes.each([&](const NodeRef& node) {
    const Text zone = zone_of(*node);
    if (!zone.view().empty()) nodes.emplace(node->meta.name.view(), zone.view());
  });
  return nodes;
}

std::vector<std::string> names_of(const std::map<std::string, std::string>& nodes) {
  std::vector<std::string> names;
  for (const auto& [name, zone] : nodes) names.push_back(name);
  return names;
}

std::vector<std::string> zones_of(const AgentView& view) {
  std::set<std::string> zones;
  for (const auto& [name, zone] : nodes_of(view)) zones.insert(zone);
  return {zones.begin(), zones.end()};
}

std::vector<std::string> nodes_in(const AgentView& view, const std::string& zone) {
  std::vector<std::string> names;
  for (const auto& [name, place] : nodes_of(view))
    if (place == zone) names.push_back(name);
  return names;
}

LabStatus lab_status(const AgentView& view, const LabWishes& wishes) {
  LabStatus status;
  view.nodes.each([&](const NodeRef& node) {
    if (!zone_of(*node).view().empty()) status.nodes.push_back(node_status(*node, wishes));
  });
  status.zones = zone_statuses(status.nodes, shares_of(wishes.demand, zones_of(view)));
  view.pods.each([&](const PodRef& pod) {
    if (is_wanted(*pod) || pod->terminating) status.pods.push_back(pod_status(*pod, view));
  });
  status.requests_per_second = wishes.requests_per_second;
  return status;
}

bool is_settled(const AgentView& view, std::size_t nodes) {
  std::size_t ready = 0;
  view.nodes.each([&](const NodeRef& node) {
    if (node->ready && !zone_of(*node).view().empty()) ++ready;
  });
  bool settled = ready == nodes && nodes > 0;
  view.pods.each([&](const PodRef& pod) {
    if (is_wanted(*pod) && !pod->ready) settled = false;
  });
  return settled;
}

bool serves_all(const AgentView& view, const std::set<std::string>& targets) {
  const auto wanted = service_targets(view.services, view.pods, targets, {});
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const ServiceTarget& one) { return targets.contains(one.service); });
}

ScalePlan plan_scale(const AgentView& view, const kube::ServiceRecord& service,
                     const std::map<std::string, std::size_t>& wanted) {
  std::vector<ScaledPod> present;
  std::set<std::string> taken;
  view.pods.each_in_namespace(service.meta.ns.view(), [&](const PodRef& pod) {
    taken.emplace(pod->name.view());
    if (selects(service, *pod) && is_wanted(*pod))
      present.push_back({std::string(pod->name.view()), zone_of(*pod, view.nodes), pod->ready});
  });
  return plan_scale(std::string(service.meta.name.view()), present, taken, wanted);
}

bool shows(const AgentView& view, const std::string& ns, const ScalePlan& plan) {
  const auto find = [&](const std::string& name) { return view.pods.peek({ns, name}); };
  const bool made = std::all_of(plan.created.begin(), plan.created.end(),
                                [&](const auto& pod) { return find(pod.name) != nullptr; });
  return made && std::all_of(plan.deleted.begin(), plan.deleted.end(), [&](const auto& name) {
           const kube::PodRecord* pod = find(name);
           return pod == nullptr || pod->terminating;
         });
}

}  // namespace proxima::agents
