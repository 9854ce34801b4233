// SPDX-License-Identifier: Apache-2.0
#include "core/model/snapshot_resolver.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace proxima::model {
namespace {

std::uint64_t key_of(NamespaceIndex ns, NameId name) {
  return (static_cast<std::uint64_t>(ns.value()) << 32) | name.value();
}

// Sorts by `less` and keeps the last of equal elements. Dumps mostly come sorted.
template <class T, class Less>
void sort_keeping_last(std::vector<T>& all, Less less) {
  auto out_of_order = [&](const T& a, const T& b) { return !less(a, b); };
  if (std::adjacent_find(all.begin(), all.end(), out_of_order) == all.end()) return;
  std::stable_sort(all.begin(), all.end(), less);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && !less(all[i], all[i + 1])) continue;
    all[kept++] = all[i];
  }
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
}

}  // namespace

SnapshotResolver::SnapshotResolver(SnapshotBuilder& builder)
    : builder_(builder),
      snapshot_(builder.snapshot_),
      namespace_of_(snapshot_.names.size()),
      zone_of_(snapshot_.names.size()),
      region_of_(snapshot_.names.size()),
      node_of_(snapshot_.names.size()) {}

void SnapshotResolver::resolve(MissingSlices missing) {
  place_namespaces();
  place_zones_and_regions();
  place_nodes();
  place_services();
  place_pods();
  choose_missing_families();
  if (builder_.has_slices()) {
    place_slices();
  } else if (missing == MissingSlices::Derive) {
    place_derived_slices();
  }
  attach_slices_to_services();
}

void SnapshotResolver::sort_and_drop_duplicates(std::vector<NameId>& names) const {
  std::sort(names.begin(), names.end());  // by number first: most are duplicates
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::sort(names.begin(), names.end(), [&](NameId a, NameId b) { return text_less(a, b); });
}

// Every namespace that something lives in exists, whether the dump has the object or not.
void SnapshotResolver::place_namespaces() {
  std::vector<Namespace>& all = snapshot_.namespaces;
  std::vector<NameId> used;
  for (const auto& pod : builder_.pods_) used.push_back(pod.ns);
  for (const auto& service : builder_.services_) used.push_back(service.ns);
  for (const auto& slice : builder_.slices_) used.push_back(slice.ns);
  sort_and_drop_duplicates(used);
  std::vector<Namespace> implied;
  for (NameId name : used) implied.push_back({.name = name, .routing = {}});
  all.insert(all.begin(), implied.begin(), implied.end());
  sort_keeping_last(
      all, [&](const Namespace& a, const Namespace& b) { return text_less(a.name, b.name); });
  for (std::size_t i = 0; i < all.size(); ++i) namespace_of_.set(all[i].name, i);
}

// Who may write slices must not be able to crowd out the zones that Nodes stand in.
void SnapshotResolver::limit_zones(std::vector<NameId>& of_nodes, std::vector<NameId> more) const {
  sort_and_drop_duplicates(of_nodes);
  of_nodes.resize(std::min(of_nodes.size(), kMaxZones));
  sort_and_drop_duplicates(more);
  const auto by_text = [&](NameId a, NameId b) { return text_less(a, b); };
  std::vector<NameId> others;
  std::set_difference(more.begin(), more.end(), of_nodes.begin(), of_nodes.end(),
                      std::back_inserter(others), by_text);
  others.resize(std::min(others.size(), kMaxZones - of_nodes.size()));
  of_nodes.insert(of_nodes.end(), others.begin(), others.end());
  std::sort(of_nodes.begin(), of_nodes.end(), by_text);
}

void SnapshotResolver::place_zones_and_regions() {
  std::vector<NameId> zones, regions;
  for (const auto& node : builder_.nodes_) {
    if (node.zone) zones.push_back(node.zone);
    if (node.region) regions.push_back(node.region);
  }
  std::vector<NameId> more = builder_.zones_;
  for (const auto& pending : builder_.endpoints_) {
    if (pending.zone) more.push_back(pending.zone);
    auto hint = builder_.hint_names_.begin() + pending.endpoint.hints;
    more.insert(more.end(), hint, hint + pending.endpoint.zone_hint_count);
  }
  limit_zones(zones, std::move(more));
  sort_and_drop_duplicates(regions);
  regions.resize(std::min(regions.size(), kMaxZones));
  for (std::size_t i = 0; i < zones.size(); ++i) zone_of_.set(zones[i], i);
  for (std::size_t i = 0; i < regions.size(); ++i) region_of_.set(regions[i], i);
  for (NameId name : zones) snapshot_.zones.push_back({.name = name, .region = {}});
  snapshot_.regions = std::move(regions);
}

void SnapshotResolver::place_nodes() {
  auto& pending = builder_.nodes_;
  sort_keeping_last(
      pending, [&](const auto& a, const auto& b) { return text_less(a.node.name, b.node.name); });
  for (std::size_t i = 0; i < pending.size(); ++i) {
    Node node = pending[i].node;
    node.zone = zone_of_[pending[i].zone];
    node.region = region_of_[pending[i].region];
    node_of_.set(node.name, i);
    snapshot_.nodes.push_back(node);
    if (!node.zone || !node.region) continue;
    ZoneInfo& zone = snapshot_.zones[node.zone.value()];
    if (!zone.region) zone.region = node.region;
  }
}

void SnapshotResolver::place_services() {
  auto& pending = builder_.services_;
  for (auto& one : pending) one.service.ns = namespace_of_[one.ns];
  sort_keeping_last(pending, [&](const auto& a, const auto& b) {
    return std::tuple(a.service.ns, snapshot_.names[a.service.name]) <
           std::tuple(b.service.ns, snapshot_.names[b.service.name]);
  });
  for (const auto& one : pending) {
    const ServiceIndex index(snapshot_.services.size());
    service_of_.emplace(key_of(one.service.ns, one.service.name), index);
    snapshot_.services.push_back(one.service);
  }
}

void SnapshotResolver::place_pods() {
  auto& pending = builder_.pods_;
  for (auto& one : pending) {
    one.pod.ns = namespace_of_[one.ns];
    one.pod.node = node_of_[one.pod.node_name];
  }
  sort_keeping_last(pending, [&](const auto& a, const auto& b) {
    return std::tuple(a.pod.ns, snapshot_.names[a.pod.name]) <
           std::tuple(b.pod.ns, snapshot_.names[b.pod.name]);
  });
  snapshot_.pods.reserve(pending.size());
  for (const auto& one : pending) {
    snapshot_.pods.push_back(one.pod);
    if (one.pod.weight != 1.0F)
      weight_of_.emplace(key_of(one.pod.ns, one.pod.name), one.pod.weight);
  }
}

void SnapshotResolver::choose_missing_families() {
  const IpFamily primary = primary_family();
  for (Service& service : snapshot_.services) {
    if (service.has_v4 || service.has_v6 || service.type == ServiceType::ExternalName) continue;
    (primary == IpFamily::V4 ? service.has_v4 : service.has_v6) = true;
  }
}

IpFamily SnapshotResolver::primary_family() const {
  for (const Service& service : snapshot_.services) {
    if (service.has_v4 != service.has_v6) return service.has_v4 ? IpFamily::V4 : IpFamily::V6;
  }
  if (!snapshot_.pod_addresses.empty()) return snapshot_.pod_addresses.front().family();
  return IpFamily::V4;
}

void SnapshotResolver::place_slices() {
  auto& pending = builder_.slices_;
  sort_keeping_last(pending, [&](const auto& a, const auto& b) {
    return std::tuple(namespace_of_[a.ns], snapshot_.names[a.slice.name]) <
           std::tuple(namespace_of_[b.ns], snapshot_.names[b.slice.name]);
  });
  for (auto& one : pending) {
    if (!one.service) continue;
    auto found = service_of_.find(key_of(namespace_of_[one.ns], one.service));
    if (found == service_of_.end()) continue;
    one.slice.service = found->second;
    if (!snapshot_.services[found->second.value()].has_selector) one.slice.foreign = true;
  }
  // The index "none" is the largest, so slices without a service go last, and so do those of a
  // service that are not planned; names stay in order.
  const auto group_of = [](const EndpointSlice& slice) {
    return std::tuple(slice.service, slice.family, slice.foreign, !slice.managed_by_controller);
  };
  std::stable_sort(pending.begin(), pending.end(), [&](const auto& a, const auto& b) {
    return group_of(a.slice) < group_of(b.slice);
  });
  // Where the controller has written slices, one that nobody claims is not its own. Where it has
  // not, this may be a file that somebody wrote by hand, and they all count.
  for (std::size_t i = 1; i < pending.size(); ++i) {
    const EndpointSlice& before = pending[i - 1].slice;
    EndpointSlice& slice = pending[i].slice;
    const bool same = slice.service == before.service && slice.family == before.family;
    if (same && !slice.managed_by_controller && (before.managed_by_controller || before.foreign))
      slice.foreign = true;
  }
  snapshot_.endpoints.reserve(builder_.endpoints_.size());
  for (const auto& one : pending) {
    EndpointSlice slice = one.slice;
    slice.endpoints.begin = static_cast<std::uint32_t>(snapshot_.endpoints.size());
    for (std::uint32_t i = 0; i < slice.endpoints.size; ++i)
      place_endpoint(builder_.endpoints_[one.slice.endpoints.begin + i]);
    snapshot_.slices.push_back(slice);
  }
}

void SnapshotResolver::place_endpoint(const SnapshotBuilder::PendingEndpoint& pending) {
  Endpoint endpoint = pending.endpoint;
  endpoint.node = node_of_[pending.node];
  endpoint.zone = zone_of_[pending.zone];
  if (endpoint.weight <= 0)
    endpoint.weight = pod_weight(namespace_of_[pending.pod_ns], endpoint.pod);
  const std::uint32_t names = endpoint.hints;
  endpoint.hints = static_cast<std::uint32_t>(snapshot_.hints.size());
  for (std::uint32_t i = 0; i < endpoint.zone_hint_count; ++i) {
    const ZoneIndex zone = zone_of_[builder_.hint_names_[names + i]];
    snapshot_.hints.push_back(zone ? static_cast<std::uint32_t>(zone.value()) : kUnknownHint);
  }
  for (std::uint32_t i = 0; i < endpoint.node_hint_count; ++i) {
    const NodeIndex node = node_of_[builder_.hint_names_[names + endpoint.zone_hint_count + i]];
    snapshot_.hints.push_back(node ? static_cast<std::uint32_t>(node.value()) : kUnknownHint);
  }
  snapshot_.endpoints.push_back(endpoint);
}

float SnapshotResolver::pod_weight(NamespaceIndex ns, NameId pod) const {
  if (!ns || !pod) return 1;
  auto found = weight_of_.find(key_of(ns, pod));
  return found == weight_of_.end() ? 1 : found->second;
}

void SnapshotResolver::place_derived_slices() {
  DerivedSlices derived = derive_slices(snapshot_);
  for (const DerivedSlice& from : derived.slices) {
    EndpointSlice slice;
    slice.name = snapshot_.names.intern(from.name);
    slice.service = from.service;
    slice.family = from.family;
    slice.managed_by_controller = true;
    slice.derived = true;
    slice.endpoints = {static_cast<std::uint32_t>(snapshot_.endpoints.size()),
                       static_cast<std::uint32_t>(from.endpoints.size())};
    slice.ports = {static_cast<std::uint32_t>(snapshot_.endpoint_ports.size()),
                   static_cast<std::uint32_t>(from.ports.size())};
    snapshot_.endpoints.insert(snapshot_.endpoints.end(), from.endpoints.begin(),
                               from.endpoints.end());
    snapshot_.endpoint_ports.insert(snapshot_.endpoint_ports.end(), from.ports.begin(),
                                    from.ports.end());
    snapshot_.slices.push_back(slice);
  }
  builder_.skipped_pods_ = std::move(derived.skipped);
}

void SnapshotResolver::attach_slices_to_services() {
  for (std::size_t i = 0; i < snapshot_.slices.size(); ++i) {
    const ServiceIndex service = snapshot_.slices[i].service;
    if (!service) continue;
    Range& range = snapshot_.services[service.value()].slices;
    if (range.size == 0) range.begin = static_cast<std::uint32_t>(i);
    ++range.size;
  }
}

}  // namespace proxima::model
