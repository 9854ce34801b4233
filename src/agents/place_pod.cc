// SPDX-License-Identifier: Apache-2.0
#include "agents/place_pod.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "core/model/labels.h"

namespace proxima::agents {
namespace {

bool fits_selector(const kube::PodRecord& pod, const kube::NodeRecord& node) {
  if (!pod.workload || !pod.workload->node_selector) return true;
  const auto& wanted = pod.workload->node_selector->all();
  return std::all_of(wanted.begin(), wanted.end(), [&](const kube::LabelText& one) {
    return kube::label(node.labels, one.key.view()) == one.value;
  });
}

// Why the node cannot take the Pod; nullopt: it can.
std::optional<std::string_view> objection(const kube::PodRecord& pod, const NodeRoom& room) {
  const kube::NodeRecord& node = *room.node;
  if (!node.ready) return "not ready";
  if (node.unschedulable) return "cordoned";
  const Text zone = wished_zone(pod);
  if (zone && kube::label(node.labels, model::kZoneLabel) != zone) return "in other zones";
  if (!fits_selector(pod, node)) return "without the labels of its nodeSelector";
  if (room.pods >= kPodsOfANodeMax) return "full";
  return std::nullopt;
}

}  // namespace

Text wished_zone(const kube::PodRecord& pod) {
  if (pod.workload)
    if (Text zone = kube::label(pod.workload->node_selector, model::kZoneLabel)) return zone;
  return kube::label(pod.labels, model::kZoneLabel);
}

Result<std::string> place_pod(const kube::PodRecord& pod, std::span<const NodeRoom> nodes) {
  const NodeRoom* best = nullptr;
  std::map<std::string_view, std::size_t> objections;
  for (const NodeRoom& room : nodes) {
    if (const auto why = objection(pod, room)) {
      ++objections[*why];
      continue;
    }
    const auto rank = [](const NodeRoom& one) {
      return std::pair(one.pods, one.node->meta.name.view());
    };
    if (best == nullptr || rank(room) < rank(*best)) best = &room;
  }
  if (best != nullptr) return std::string(best->node->meta.name.view());
  std::string text = "0/" + std::to_string(nodes.size()) + " nodes are available";
  std::string_view separator = ": ";
  for (const auto& [why, count] : objections) {
    text.append(separator).append(std::to_string(count)).append(" ").append(why);
    separator = ", ";
  }
  return Error{ErrorCode::NotFound, std::move(text)};
}

}  // namespace proxima::agents
