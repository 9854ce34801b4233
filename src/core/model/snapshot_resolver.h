// SPDX-License-Identifier: Apache-2.0
// The second half of SnapshotBuilder::build(): puts everything in order and turns names into
// indices. Not for other callers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/model/snapshot_builder.h"

namespace proxima::model {

// Index of a thing by its name's number: one array look-up instead of a search.
template <class IndexType>
class IndexByName {
 public:
  explicit IndexByName(std::size_t names) : by_name_(names) {}
  IndexType operator[](NameId name) const { return name ? by_name_[name.value()] : IndexType(); }
  void set(NameId name, std::size_t index) { by_name_[name.value()] = IndexType(index); }

 private:
  std::vector<IndexType> by_name_;
};

class SnapshotResolver {
 public:
  explicit SnapshotResolver(SnapshotBuilder& builder);
  void resolve(MissingSlices missing);

 private:
  bool text_less(NameId a, NameId b) const { return snapshot_.names[a] < snapshot_.names[b]; }
  void sort_and_drop_duplicates(std::vector<NameId>& names) const;
  void limit_zones(std::vector<NameId>& of_nodes, std::vector<NameId> more) const;

  void place_namespaces();
  void place_zones_and_regions();
  void place_nodes();
  void place_services();
  void place_pods();
  void choose_missing_families();
  IpFamily primary_family() const;

  void place_slices();
  void place_endpoint(const SnapshotBuilder::PendingEndpoint& pending);
  float pod_weight(NamespaceIndex ns, NameId pod) const;
  void place_derived_slices();
  void attach_slices_to_services();

  SnapshotBuilder& builder_;
  Snapshot& snapshot_;
  IndexByName<NamespaceIndex> namespace_of_;
  IndexByName<ZoneIndex> zone_of_;
  IndexByName<RegionIndex> region_of_;
  IndexByName<NodeIndex> node_of_;
  std::unordered_map<std::uint64_t, ServiceIndex> service_of_;  // by namespace index, name number
  std::unordered_map<std::uint64_t, float> weight_of_;          // the same for Pods; only ≠ 1
};

}  // namespace proxima::model
