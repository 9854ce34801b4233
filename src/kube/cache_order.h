// SPDX-License-Identifier: Apache-2.0
// In which orders a cache holds the records of a kind: by namespace and name always, and by one
// thing more where somebody looks for it.
#pragma once

#include <string_view>
#include <tuple>

#include "kube/endpoint_slice_record.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::kube {

struct ByKey {
  template <class Record>
  static bool less(const Record& a, const Record& b) {
    return a.key() < b.key();
  }
  template <class Record>
  static bool less(const Record& a, const ObjectKey& b) {
    return a.key() < b;
  }
  template <class Record>
  static bool less(const ObjectKey& a, const Record& b) {
    return a < b.key();
  }
};

// `place` is what the second order groups by; the groups are in the order of their keys.
struct PlacedKey {
  std::string_view ns;  // of the place itself; empty where places are cluster-wide
  std::string_view place;
  ObjectKey key;
  friend auto operator<=>(const PlacedKey&, const PlacedKey&) = default;
};

// Kinds that nobody looks for in another way are in no second order.
template <class Record>
struct SecondOrder {
  static constexpr bool kExists = false;
  static PlacedKey placed(const Record& record) { return {{}, {}, record.key()}; }
};

// Pods by node. A Pod that is not scheduled is not there.
template <>
struct SecondOrder<PodRecord> {
  static constexpr bool kExists = true;
  static bool has(const PodRecord& pod) { return pod.node.has_value(); }
  static PlacedKey placed(const PodRecord& pod) { return {{}, pod.node.view(), pod.key()}; }
  static bool place_less(const PodRecord& a, const PodRecord& b) {
    return !a.node.is_same(b.node) && a.node < b.node;
  }
};

// Slices by Service. A slice without the label is not there.
template <>
struct SecondOrder<EndpointSliceRecord> {
  static constexpr bool kExists = true;
  static bool has(const EndpointSliceRecord& slice) { return !slice.service.view().empty(); }
  static PlacedKey placed(const EndpointSliceRecord& slice) {
    return {slice.key().ns, slice.service.view(), slice.key()};
  }
  static bool place_less(const EndpointSliceRecord& a, const EndpointSliceRecord& b) {
    return std::tie(a.meta.ns, a.service) < std::tie(b.meta.ns, b.service);
  }
};

struct ByPlace {
  // What most comparisons need is the place alone: names of others are not in the processor's
  // caches, and looking at them is what costs.
  template <class Record>
  static bool less(const Record& a, const Record& b) {
    using Second = SecondOrder<Record>;
    if (Second::place_less(a, b)) return true;
    return !Second::place_less(b, a) && ByKey::less(a, b);
  }
  template <class Record>
  static bool less(const Record& a, const PlacedKey& b) {
    return SecondOrder<Record>::placed(a) < b;
  }
  template <class Record>
  static bool less(const PlacedKey& a, const Record& b) {
    return a < SecondOrder<Record>::placed(b);
  }
};

}  // namespace proxima::kube
