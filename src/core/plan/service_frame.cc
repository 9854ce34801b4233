// SPDX-License-Identifier: Apache-2.0
#include "core/plan/service_frame.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "core/model/snapshot_builder.h"

namespace proxima::plan {
namespace {

using model::NodeIndex;
using model::Range;
using model::Snapshot;
using model::ZoneIndex;

template <class T>
Range append(std::vector<T>& all, std::span<const T> part) {
  const Range range{static_cast<std::uint32_t>(all.size()),
                    static_cast<std::uint32_t>(part.size())};
  all.insert(all.end(), part.begin(), part.end());
  return range;
}

}  // namespace

ServiceFrame::ServiceFrame(Snapshot nodes, const PlanOptions& options)
    : world_(std::make_shared<Snapshot>(std::move(nodes))),
      plan_(empty_plan(world_, options)),
      planner_(plan_),
      own_names_(world_->names.mark()) {
  PROXIMA_CHECK(world_->services.empty() && world_->endpoints.empty());
  node_of_.resize(world_->names.size());
  zone_of_.resize(world_->names.size());
  for (std::size_t n = 0; n < world_->nodes.size(); ++n) {
    node_of_[world_->nodes[n].name.value()] = NodeIndex(n);
  }
  for (std::size_t z = 0; z < world_->zones.size(); ++z) {
    zone_of_[world_->zones[z].name.value()] = ZoneIndex(z);
  }
}

NodeIndex ServiceFrame::node(std::string_view name) const {
  const NameId id = world_->names.find(name);
  return id && id.value() < node_of_.size() ? node_of_[id.value()] : NodeIndex();
}

ZoneIndex ServiceFrame::zone(std::string_view name) const {
  const NameId id = world_->names.find(name);
  return id && id.value() < zone_of_.size() ? zone_of_[id.value()] : ZoneIndex();
}

void ServiceFrame::begin() {
  planner_.forget_services();
  world_->namespaces.clear();
  world_->services.clear();
  world_->slices.clear();
  world_->endpoints.clear();
  world_->pods.clear();
  world_->service_ports.clear();
  world_->hints.clear();
  world_->names_pool.clear();
  world_->names.forget_since(own_names_);
}

model::NamespaceIndex ServiceFrame::add(const model::Namespace& ns) {
  world_->namespaces.push_back(ns);
  return model::NamespaceIndex(world_->namespaces.size() - 1);
}

void ServiceFrame::put(model::Service service, std::span<const model::ServicePort> ports,
                       std::span<const NameId> topology_keys) {
  PROXIMA_CHECK(world_->services.empty());
  service.ns = model::NamespaceIndex(0);
  service.ports = append(world_->service_ports, ports);
  service.topology_key_fields = append(world_->names_pool, topology_keys);
  service.labels = service.selector = service.slices = {};
  world_->services.push_back(service);
}

void ServiceFrame::add(model::EndpointSlice slice) {
  slice.service = model::ServiceIndex(0);
  slice.ports = {};
  slice.endpoints = {static_cast<std::uint32_t>(world_->endpoints.size()), 0};
  world_->slices.push_back(slice);
}

void ServiceFrame::add(model::Endpoint endpoint, std::span<const std::uint32_t> zone_hints,
                       std::span<const std::uint32_t> node_hints) {
  const auto limited = [](std::span<const std::uint32_t> hints) {
    return hints.first(std::min(hints.size(), model::kMaxHints));
  };
  endpoint.hints = append(world_->hints, limited(zone_hints)).begin;
  append(world_->hints, limited(node_hints));
  endpoint.zone_hint_count = static_cast<std::uint8_t>(limited(zone_hints).size());
  endpoint.node_hint_count = static_cast<std::uint8_t>(limited(node_hints).size());
  world_->endpoints.push_back(endpoint);
  ++world_->slices.back().endpoints.size;
}

const ClusterPlan& ServiceFrame::plan(const PublishedNow& published, std::optional<WallTime> now) {
  PROXIMA_CHECK(world_->services.size() == 1 && !world_->namespaces.empty());
  world_->services[0].slices = {0, static_cast<std::uint32_t>(world_->slices.size())};
  plan_.hints.assign(world_->endpoints.size(), {});
  plan_.options.now = now;
  planner_.plan(model::ServiceIndex(0), published);
  return plan_;
}

}  // namespace proxima::plan
