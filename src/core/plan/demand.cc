// SPDX-License-Identifier: Apache-2.0
#include "core/plan/demand.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/whole_number.h"

namespace proxima::plan {
namespace {

using model::Node;
using model::Pod;
using model::Snapshot;
using policy::DemandSetting;
using policy::DemandSource;
using policy::Reason;

std::size_t place_of(const Snapshot& snapshot, const Node& node) {
  return node.zone ? node.zone.value() : snapshot.zones.size();
}

constexpr std::string_view kPodKind = "Pod/";

// Units of all places together. Beyond it they are scaled down, so that what is counted with them
// stays exact.
constexpr double kMostUnits = 1e15;

bool starts_traffic(const Node& node) { return node.ready && !node.control_plane; }

// `workload`: "NAMESPACE/Kind/name". A Pod without an owner is a workload of the kind Pod.
bool is_client(const Snapshot& snapshot, const Pod& pod, std::string_view workload) {
  const std::string_view ns = snapshot.namespace_name(pod.ns);
  if (!workload.starts_with(ns) || workload.substr(ns.size(), 1) != "/") return false;
  workload.remove_prefix(ns.size() + 1);
  if (pod.owner) return snapshot.names[pod.owner] == workload;  // "Kind/name"
  return workload.starts_with(kPodKind) &&
         workload.substr(kPodKind.size()) == snapshot.names[pod.name];
}

// Clients that are there, ready or not, beyond those that are counted.
void add_unready_clients(const Snapshot& snapshot, const DemandSetting& setting, Demand& demand) {
  demand.all_units = demand.units;
  if (setting.source != DemandSource::Clients) return;
  for (const Pod& pod : snapshot.pods) {
    if (pod.ready || pod.terminating || !pod.node) continue;
    if (is_client(snapshot, pod, setting.clients))
      ++demand.all_units[place_of(snapshot, snapshot.nodes[pod.node.value()])];
  }
}

std::vector<double> units_by_node(const Snapshot& snapshot, const DemandSetting& setting) {
  std::vector<double> units(snapshot.nodes.size(), 0);
  if (setting.source == DemandSource::Clients) {
    for (const Pod& pod : snapshot.pods) {
      const bool counts = pod.ready && !pod.terminating && pod.node;
      if (counts && is_client(snapshot, pod, setting.clients)) units[pod.node.value()] += 1;
    }
    return units;
  }
  for (std::size_t n = 0; n < units.size(); ++n) {
    const Node& node = snapshot.nodes[n];
    if (!starts_traffic(node)) continue;
    const bool by_cpu = setting.source == DemandSource::Cpu;
    units[n] = by_cpu ? static_cast<double>(node.cpu.milli()) : 1;
  }
  return units;
}

// As the nodes say, in place of one for each.
void take_own_traffic(const Snapshot& snapshot, std::vector<double>& units) {
  for (std::size_t n = 0; n < units.size(); ++n)
    units[n] = units[n] > 0 ? snapshot.nodes[n].traffic * 1000 : 0;
}

// Traffic that is known by zone only starts on the nodes of a zone alike.
void scale_to_measured(const Snapshot& snapshot, const std::map<std::string, double>& measured,
                       std::vector<double>& units) {
  std::vector<double> nodes_in(snapshot.zones.size() + 1, 0);
  for (std::size_t n = 0; n < units.size(); ++n) {
    nodes_in[place_of(snapshot, snapshot.nodes[n])] += units[n];
  }
  for (std::size_t n = 0; n < units.size(); ++n) {
    const std::size_t place = place_of(snapshot, snapshot.nodes[n]);
    const std::string zone(snapshot.zone_name(snapshot.nodes[n].zone));
    const auto found = measured.find(zone);
    const double traffic = found == measured.end() ? 0 : found->second;
    units[n] = units[n] > 0 ? units[n] * traffic * 1000 / nodes_in[place] : 0;
  }
}

// The worker nodes of every zone together start the same when nothing better is known.
std::vector<double> even_units(const Snapshot& snapshot) {
  std::vector<double> nodes_in(snapshot.zones.size() + 1, 0);
  for (const Node& node : snapshot.nodes) nodes_in[place_of(snapshot, node)] += 1;
  std::vector<double> units;
  for (const Node& node : snapshot.nodes) {
    units.push_back(node.zone ? 1000 / nodes_in[place_of(snapshot, node)] : 0);
  }
  return units;
}

std::string_view source_name(DemandSource source) {
  constexpr std::string_view kNames[] = {"cpu", "nodes", "clients", "measured"};
  return kNames[static_cast<std::size_t>(source)];
}

void note_unplaced(const Snapshot& snapshot, const std::vector<double>& units, Demand& demand) {
  std::int64_t unplaced = 0;
  for (std::size_t n = 0; n < units.size(); ++n) {
    unplaced += units[n] > 0 && !snapshot.nodes[n].zone ? 1 : 0;
  }
  if (unplaced > 0) demand.notes.push_back({.reason = Reason::UnplacedNodes, .count = unplaced});
}

}  // namespace

Demand plan_demand(const Snapshot& snapshot, const DemandSetting& setting,
                   const std::map<std::string, double>& measured) {
  Demand demand;
  const std::size_t places = snapshot.zones.size() + 1;
  demand.by_place.assign(places, 0);
  demand.units.assign(places, 0);
  std::vector<double> units = units_by_node(snapshot, setting);
  if (setting.source == DemandSource::Measured) {
    if (measured.empty())
      take_own_traffic(snapshot, units);
    else
      scale_to_measured(snapshot, measured, units);
  }
  double total = std::accumulate(units.begin(), units.end(), 0.0);
  if (!(total > 0) || !std::isfinite(total)) {
    demand.notes.push_back(
        {.reason = Reason::DemandUnknown, .subject = source_name(setting.source)});
    units = even_units(snapshot);
    total = std::accumulate(units.begin(), units.end(), 0.0);
  }
  note_unplaced(snapshot, units, demand);
  demand.by_node.assign(units.size(), 0);
  std::vector<double> units_in(places, 0);
  for (std::size_t n = 0; n < units.size() && total > 0; ++n) {
    demand.by_node[n] = units[n] / total;
    units_in[place_of(snapshot, snapshot.nodes[n])] += units[n];
  }
  const double scale = total > kMostUnits ? kMostUnits / total : 1;
  for (std::size_t place = 0; place < places && total > 0; ++place) {
    demand.by_place[place] = units_in[place] / total;
    demand.units[place] = rounded_count(units_in[place] * scale);
  }
  // No node at all: still say something about the zones that endpoints name.
  if (!(total > 0)) {
    const double even = 1.0 / static_cast<double>(places > 1 ? places - 1 : 1);
    std::fill_n(demand.by_place.begin(), places > 1 ? places - 1 : 1, even);
    std::fill_n(demand.units.begin(), places > 1 ? places - 1 : 1, 1000);
  }
  add_unready_clients(snapshot, setting, demand);
  return demand;
}

}  // namespace proxima::plan
