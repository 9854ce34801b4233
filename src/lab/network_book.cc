// SPDX-License-Identifier: Apache-2.0
#include "lab/network_book.h"

#include <utility>

namespace proxima::lab {
namespace {

Error invalid(std::string message) { return {ErrorCode::InvalidInput, std::move(message)}; }

Error no_such(std::string_view kind, const std::string& name) {
  return {ErrorCode::NotFound, "the lab has no " + std::string(kind) + " " + name};
}

}  // namespace

Status NetworkBook::check_new(const std::string& name) const {
  if (name.empty()) return invalid("a host of the lab needs a name");
  if (name == kRouter || nodes_.contains(name) || node_of_pod_.contains(name))
    return invalid("the lab has a host " + name + " already");
  return Unit{};
}

Result<Cable> NetworkBook::add_node(const std::string& name) {
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check_new(name), "add node");
  if (nodes_.size() >= kLabNodesMax)
    return invalid("add node " + name + ": a lab has at most " + std::to_string(kLabNodesMax) +
                   " nodes");
  const auto number = node_numbers_.take();
  PROXIMA_CHECK(number);
  nodes_.emplace(name, Node{.number = *number});
  return cable_to_node(*number);
}

Result<Cable> NetworkBook::add_pod(const std::string& node, const std::string& name) {
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check_new(name), "add Pod");
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return no_such("node", node).in("add Pod " + name);
  Node& at = found->second;
  if (at.pods.size() >= kLabPodsOfANodeMax)
    return invalid("add Pod " + name + ": a node of the lab has at most " +
                   std::to_string(kLabPodsOfANodeMax) + " Pods");
  const auto number = at.pod_numbers.take();
  PROXIMA_CHECK(number);
  at.pods.emplace(name, *number);
  node_of_pod_.emplace(name, node);
  return cable_to_pod(at.number, *number);
}

Result<std::vector<std::string>> NetworkBook::remove_node(const std::string& name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return no_such("node", name);
  std::vector<std::string> gone;
  for (const auto& [pod, number] : found->second.pods) {
    node_of_pod_.erase(pod);
    gone.push_back(pod);
  }
  gone.push_back(name);
  node_numbers_.give_back(found->second.number);
  nodes_.erase(found);
  return gone;
}

Result<NetworkBook::PodPlace> NetworkBook::remove_pod(const std::string& name) {
  const auto found = node_of_pod_.find(name);
  if (found == node_of_pod_.end()) return no_such("Pod", name);
  PodPlace place{.node = std::move(found->second), .device = {}};
  node_of_pod_.erase(found);
  Node& node = nodes_.at(place.node);
  const auto pod = node.pods.find(name);
  place.device = cable_to_pod(node.number, pod->second).near.device;
  node.pod_numbers.give_back(pod->second);
  node.pods.erase(pod);
  return place;
}

Result<Cable> NetworkBook::node_cable(const std::string& name) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return no_such("node", name);
  return cable_to_node(found->second.number);
}

}  // namespace proxima::lab
