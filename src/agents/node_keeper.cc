// SPDX-License-Identifier: Apache-2.0
#include "agents/node_keeper.h"

#include <set>

#include "agents/lab_objects.h"
#include "agents/lab_shape.h"

namespace proxima::agents {
namespace {

// Pods of a node that is gone are removed long before.
constexpr std::chrono::minutes kGoneRemembered{10};

kube::ObjectReference reference(const kube::NodeRecord& node) {
  kube::ObjectReference about;
  about.api_version = "v1";
  about.kind = "Node";
  about.name = node.meta.name.view();
  about.uid = node.meta.uid.view();
  return about;
}

}  // namespace

void NodeKeeper::pass(const AgentView& view, const PowerCuts& cuts, Agenda& agenda) {
  std::set<std::string> names;
  for (const auto& [name, lab] : nodes_) names.insert(name);
  view.nodes.each(
      [&](const Ref<const kube::NodeRecord>& node) { names.emplace(node->meta.name.view()); });
  for (const std::string& name : names) {
    tend(view, name);
    const auto lab = nodes_.find(name);
    if (lab == nodes_.end()) continue;
    set_power(view, name, cuts);
    ensure_client(view, name);
    if (lab->second.power == Power::Off) agenda.at(lab->second.off_since + kLostAfter);
  }
  std::erase_if(gone_, [&](const auto& entry) {
    return nodes_.contains(entry.first) || view.now - entry.second > kGoneRemembered;
  });
}

void NodeKeeper::tend(const AgentView& view, const std::string& name) {
  const kube::NodeRecord* node = view.nodes.peek({{}, name});
  const auto lab = nodes_.find(name);
  const NodeDuty duty = node_duty(node, lab == nodes_.end() ? nullptr : &lab->second, view.now);
  switch (duty) {
    case NodeDuty::None:
      return;
    case NodeDuty::Add:
      return add(view, *node);
    case NodeDuty::Forget:
      return forget(view, name);
    case NodeDuty::ReportWell:
    case NodeDuty::ReportLost:
      return report(view, *node, duty);
  }
}

void NodeKeeper::add(const AgentView& view, const kube::NodeRecord& node) {
  const std::string name(node.meta.name.view());
  const std::string key = "machine of " + name;
  if (!parts_.book.may_write(key, 0, view.now)) return;
  const auto addresses = nodes_.size() < kLabNodesMax
                             ? parts_.machines.add_node(name)
                             : Result<MachineAddresses>(
                                   Error{ErrorCode::Denied, "the lab has no room for more nodes"});
  if (!addresses) {
    parts_.book.failed(key, view.now);
    parts_.log.error("A node cannot be made; it is tried again", addresses.error().message,
                     {{"node", name}});
    return;
  }
  LabNode lab;
  lab.zone = zone_of(node).view();
  lab.addresses = *addresses;
  nodes_.insert_or_assign(name, lab);
  parts_.log.info("A node joined the lab", {{"node", name}, {"zone", lab.zone}});
  if (parts_.hooks.node_added) parts_.hooks.node_added(name);
  report(view, node, NodeDuty::ReportWell);
}

void NodeKeeper::forget(const AgentView& view, const std::string& name) {
  if (parts_.hooks.node_removed) parts_.hooks.node_removed(name);
  pods_.drop_node(name);
  nodes_.erase(name);
  gone_.insert_or_assign(name, view.now);
  const Status removed = parts_.machines.remove_node(name);
  if (!removed)
    parts_.log.error("The machine of a node stays behind", removed.error().message,
                     {{"node", name}});
  parts_.log.info("A node left the lab", {{"node", name}});
}

void NodeKeeper::set_power(const AgentView& view, const std::string& name, const PowerCuts& cuts) {
  LabNode& lab = nodes_.at(name);
  const auto cut = cuts.find(name);
  const Power wanted = cut == cuts.end() ? Power::On : Power::Off;
  if (lab.power == wanted || !parts_.book.may_write("power of " + name, 0, view.now)) return;
  if (const Status done = parts_.machines.set_power(name, wanted); !done) {
    parts_.book.failed("power of " + name, view.now);
    parts_.log.error("The power of a node cannot be switched; it is tried again",
                     done.error().message, {{"node", name}});
    return;
  }
  lab.power = wanted;
  lab.off_since = view.now;
  if (wanted == Power::Off) pods_.cut_node(name);
  if (parts_.hooks.node_power) parts_.hooks.node_power(name, wanted);
  parts_.log.info(wanted == Power::Off ? "A node lost its power" : "A node has its power back",
                  {{"node", name}});
}

void NodeKeeper::ensure_client(const AgentView& view, const std::string& name) {
  const std::string client = client_name(name);
  const std::string key = "client Pod of " + name;
  if (view.pods.peek({kClientNamespace, client}) != nullptr) return parts_.book.forget(key);
  write_once(parts_, key, 0, view.now, [&]() -> Status {
    Status made =
        parts_.api.create(kube::kPods, std::string(kClientNamespace), render_client(name));
    if (made || made.error().code != ErrorCode::NotFound) return made;
    PROXIMA_TRY([[maybe_unused]] const Unit there,
                parts_.api.create(kube::kNamespaces, "", render_namespace(kClientNamespace)),
                "namespace of the clients");
    return parts_.api.create(kube::kPods, std::string(kClientNamespace), render_client(name));
  });
}

void NodeKeeper::publish_traffic(const AgentView& view, const DemandShares& demand) {
  std::map<std::string, std::string> zones;
  for (const auto& [name, lab] : nodes_)
    if (lab.power == Power::On) zones[name] = lab.zone;
  for (const auto& [name, traffic] : traffic_of(demand, zones)) {
    const kube::NodeRecord* const node = view.nodes.peek({{}, name});
    if (node == nullptr || node->traffic == traffic) continue;
    write_once(parts_, "traffic of Node " + name, node->meta.version, view.now,
               [&, percent = traffic] { return parts_.api.report_traffic(*node, percent); });
  }
}

void NodeKeeper::report(const AgentView& view, const kube::NodeRecord& node, NodeDuty duty) {
  const std::string name(node.meta.name.view());
  const bool well = duty == NodeDuty::ReportWell;
  const bool told = write_once(parts_, "Node " + name, node.meta.version, view.now, [&] {
    return well ? parts_.api.report_well(node, nodes_.at(name).addresses, view.wall)
                : parts_.api.report_lost(node, view.wall);
  });
  if (!told) return;
  parts_.events.record(reference(node), well ? kube::EventType::Normal : kube::EventType::Warning,
                       well ? "NodeReady" : "NodeNotReady",
                       "Node " + name + " status is now: " + (well ? "NodeReady" : "NodeNotReady"));
}

}  // namespace proxima::agents
