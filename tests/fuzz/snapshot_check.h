// SPDX-License-Identifier: Apache-2.0
// What holds for every snapshot, whatever it was read from.
#pragma once

#include <algorithm>

#include "base/check.h"
#include "core/model/snapshot.h"

namespace proxima::fuzz {

template <class T>
void check_range(const std::vector<T>& all, model::Range range) {
  PROXIMA_CHECK(range.begin <= all.size() && range.size <= all.size() - range.begin);
}

template <class Index, class T>
void check_index(Index index, const std::vector<T>& all) {
  PROXIMA_CHECK(!index || index.value() < all.size());
}

inline void check_snapshot(const model::Snapshot& snapshot) {
  auto by_name = [&](const auto& a, const auto& b) {
    return snapshot.names[a.name] < snapshot.names[b.name];
  };
  PROXIMA_CHECK(std::is_sorted(snapshot.zones.begin(), snapshot.zones.end(), by_name));
  PROXIMA_CHECK(std::is_sorted(snapshot.nodes.begin(), snapshot.nodes.end(), by_name));
  for (const model::Node& node : snapshot.nodes) {
    check_index(node.zone, snapshot.zones);
    check_index(node.region, snapshot.regions);
    check_range(snapshot.labels, node.labels);
  }
  for (const model::Service& service : snapshot.services) {
    check_index(service.ns, snapshot.namespaces);
    check_range(snapshot.service_ports, service.ports);
    check_range(snapshot.labels, service.selector);
    check_range(snapshot.slices, service.slices);
  }
  for (const model::Pod& pod : snapshot.pods) {
    check_index(pod.ns, snapshot.namespaces);
    check_index(pod.node, snapshot.nodes);
    check_range(snapshot.pod_addresses, pod.addresses);
    PROXIMA_CHECK(pod.weight > 0);
  }
  std::uint32_t next = 0;
  for (const model::EndpointSlice& slice : snapshot.slices) {
    check_index(slice.service, snapshot.services);
    check_range(snapshot.endpoint_ports, slice.ports);
    PROXIMA_CHECK(slice.endpoints.begin == next);
    next += slice.endpoints.size;
  }
  PROXIMA_CHECK(next == snapshot.endpoints.size());
  for (const model::Endpoint& endpoint : snapshot.endpoints) {
    check_index(endpoint.zone, snapshot.zones);
    check_index(endpoint.node, snapshot.nodes);
    PROXIMA_CHECK(endpoint.weight > 0);
    const std::uint32_t hints = endpoint.zone_hint_count + endpoint.node_hint_count;
    check_range(snapshot.hints, {endpoint.hints, hints});
  }
}

}  // namespace proxima::fuzz
