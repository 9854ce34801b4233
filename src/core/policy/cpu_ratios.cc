// SPDX-License-Identifier: Apache-2.0
#include "core/policy/cpu_ratios.h"

#include <algorithm>
#include <utility>

namespace proxima::policy {
namespace {

using model::Node;
using model::ZoneIndex;

constexpr std::size_t kMinZones = 2;

bool counts_for_ratios(const Node& node) { return node.ready && !node.control_plane; }

// KEP-2433: when the cores of one node cannot be known, every node counts as one core.
bool treats_nodes_equally(std::span<const Node> nodes, MissingNodeData missing) {
  return missing == MissingNodeData::OneCore &&
         std::any_of(nodes.begin(), nodes.end(),
                     [](auto& n) { return counts_for_ratios(n) && n.cpu.is_zero(); });
}

CpuRatios no_ratios(Reason reason, std::vector<Note> notes = {}) {
  CpuRatios ratios;
  ratios.why_none = {.reason = reason};
  ratios.notes = std::move(notes);
  return ratios;
}

}  // namespace

CpuRatios cpu_ratios(std::span<const Node> nodes, std::size_t zone_count, MissingNodeData missing,
                     const StringPool& names) {
  const bool equal = treats_nodes_equally(nodes, missing);
  std::vector<Quantity> by_zone(zone_count);
  Quantity total;
  std::vector<Note> notes;
  for (const Node& node : nodes) {
    if (!counts_for_ratios(node)) continue;
    const bool lacks_cpu = node.cpu.is_zero();
    if (lacks_cpu && equal) {
      notes.push_back({.reason = Reason::NodeCountedAsOneCore, .subject = names[node.name]});
    }
    if (!node.zone || (lacks_cpu && !equal)) {
      if (missing != MissingNodeData::Ignore) {
        const Reason lacks = node.zone ? Reason::NodeWithoutCpu : Reason::NodeWithoutZone;
        return no_ratios(Reason::NodeInformationMissing,
                         {{.reason = lacks, .subject = names[node.name]}});
      }
      notes.push_back({.reason = Reason::NodeIgnored, .subject = names[node.name]});
      continue;
    }
    const Quantity cpu = equal ? Quantity::from_milli(1000) : node.cpu;
    by_zone[node.zone.value()] += cpu;
    total += cpu;
  }

  CpuRatios ratios;
  ratios.by_zone.assign(zone_count, 0);
  for (std::size_t zone = 0; zone < zone_count; ++zone) {
    if (by_zone[zone].is_zero()) continue;
    ratios.zones.push_back(ZoneIndex(zone));
    ratios.by_zone[zone] =
        static_cast<double>(by_zone[zone].milli()) / static_cast<double>(total.milli());
  }
  if (ratios.zones.empty()) return no_ratios(Reason::NodeInformationMissing, std::move(notes));
  if (ratios.zones.size() < kMinZones) return no_ratios(Reason::SingleZone, std::move(notes));
  ratios.notes = std::move(notes);
  return ratios;
}

}  // namespace proxima::policy
