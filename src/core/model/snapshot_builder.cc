// SPDX-License-Identifier: Apache-2.0
#include "core/model/snapshot_builder.h"

#include <algorithm>

#include "core/model/snapshot_resolver.h"

namespace proxima::model {
namespace {

template <class T>
Range append(std::vector<T>& all, const std::vector<T>& part) {
  const Range range{static_cast<std::uint32_t>(all.size()),
                    static_cast<std::uint32_t>(part.size())};
  all.insert(all.end(), part.begin(), part.end());
  return range;
}

NameId none_if_empty(NameId name, const StringPool& names) {
  return names[name].empty() ? NameId() : name;
}

}  // namespace

// A key that comes twice keeps its first value: in YAML a merged key comes after the written one.
Range SnapshotBuilder::append_labels(std::vector<Label> labels) {
  auto by_key = [](const Label& a, const Label& b) { return a.key < b.key; };
  if (!std::is_sorted(labels.begin(), labels.end(), by_key))
    std::stable_sort(labels.begin(), labels.end(), by_key);
  auto same_key = [](const Label& a, const Label& b) { return a.key == b.key; };
  labels.erase(std::unique(labels.begin(), labels.end(), same_key), labels.end());
  return append(snapshot_.labels, labels);
}

void SnapshotBuilder::add(const NodeDraft& draft) {
  PendingNode pending;
  pending.node = {.name = draft.name,
                  .zone = {},
                  .region = {},
                  .cpu = draft.cpu,
                  .traffic = draft.traffic,
                  .labels = append_labels(draft.labels),
                  .ready = draft.ready,
                  .control_plane = false};
  const Labels labels = Snapshot::part(snapshot_.labels, pending.node.labels);
  auto value = [&](std::string_view key) { return label_value(labels, names().find(key)); };
  pending.zone = none_if_empty(value(kZoneLabel), names());
  pending.region = none_if_empty(value(kRegionLabel), names());
  pending.node.control_plane = value(kControlPlaneLabel) || value(kMasterLabel);
  nodes_.push_back(pending);
}

void SnapshotBuilder::add(const PodDraft& draft) {
  PendingPod pending{draft.pod, draft.ns};
  pending.pod.labels = append_labels(draft.labels);
  pending.pod.addresses = append(snapshot_.pod_addresses, draft.addresses);
  pending.pod.container_ports = append(snapshot_.container_ports, draft.container_ports);
  pods_.push_back(pending);
}

void SnapshotBuilder::add(const ServiceDraft& draft) {
  PendingService pending{draft.service, draft.ns};
  pending.service.ports = append(snapshot_.service_ports, draft.ports);
  pending.service.labels = append_labels(draft.labels);
  pending.service.selector = append_labels(draft.selector);
  pending.service.topology_key_fields = append(snapshot_.names_pool, draft.topology_keys);
  pending.service.slices = {};
  services_.push_back(pending);
}

SnapshotBuilder::PendingEndpoint SnapshotBuilder::pend(const EndpointDraft& draft, NameId ns) {
  PendingEndpoint pending;
  Endpoint& endpoint = pending.endpoint;
  endpoint.address = draft.address;
  endpoint.ready = draft.ready;
  endpoint.serving = draft.serving;
  endpoint.terminating = draft.terminating;
  endpoint.weight = draft.weight;
  endpoint.pod = draft.pod;
  endpoint.hints = static_cast<std::uint32_t>(hint_names_.size());
  for (NameId zone : draft.zone_hints) {
    if (names()[zone].empty() || endpoint.zone_hint_count == kMaxHints) continue;
    hint_names_.push_back(zone);
    ++endpoint.zone_hint_count;
  }
  for (NameId node : draft.node_hints) {
    if (names()[node].empty() || endpoint.node_hint_count == kMaxHints) continue;
    hint_names_.push_back(node);
    ++endpoint.node_hint_count;
  }
  pending.node = draft.node;
  pending.zone = none_if_empty(draft.zone, names());
  pending.pod_ns = draft.pod_ns ? draft.pod_ns : ns;
  return pending;
}

void SnapshotBuilder::add(const SliceDraft& draft) {
  PendingSlice pending;
  pending.ns = draft.ns;
  pending.service = none_if_empty(draft.service, names());
  pending.slice.name = draft.name;
  pending.slice.family = draft.family;
  pending.slice.managed_by_controller = draft.managed_by_controller;
  pending.slice.foreign = draft.managed_by_other;
  pending.slice.published = draft.published;
  pending.slice.ports = append(snapshot_.endpoint_ports, draft.ports);
  pending.slice.endpoints = {static_cast<std::uint32_t>(endpoints_.size()),
                             static_cast<std::uint32_t>(draft.endpoints.size())};
  for (const EndpointDraft& endpoint : draft.endpoints)
    endpoints_.push_back(pend(endpoint, draft.ns));
  slices_.push_back(pending);
}

void SnapshotBuilder::add(const Namespace& draft) { snapshot_.namespaces.push_back(draft); }

SnapshotPtr SnapshotBuilder::build(MissingSlices missing) {
  return std::make_shared<const Snapshot>(take(missing));
}

Snapshot SnapshotBuilder::take(MissingSlices missing) {
  SnapshotResolver(*this).resolve(missing);
  Snapshot built = std::move(snapshot_);
  std::vector<SkippedPod> skipped = std::move(skipped_pods_);
  *this = SnapshotBuilder();
  skipped_pods_ = std::move(skipped);
  return built;
}

}  // namespace proxima::model
