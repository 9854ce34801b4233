// SPDX-License-Identifier: Apache-2.0
// The cluster at one moment, as flat arrays that refer to each other by index. Immutable once
// built: one writer publishes, any number of readers hold a shared_ptr<const Snapshot>.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "core/model/endpoint.h"
#include "core/model/ids.h"
#include "core/model/labels.h"
#include "core/model/node.h"
#include "core/model/pod.h"
#include "core/model/service.h"

namespace proxima::model {

struct ZoneInfo {
  NameId name;
  RegionIndex region;  // of its nodes; none when they carry no region label
};

struct Snapshot {
  StringPool names;

  std::vector<ZoneInfo> zones;        // by name
  std::vector<NameId> regions;        // by name
  std::vector<Node> nodes;            // by name
  std::vector<Namespace> namespaces;  // by name
  std::vector<Service> services;      // by namespace, then name
  std::vector<EndpointSlice> slices;  // grouped by service; those without one last
  std::vector<Endpoint> endpoints;    // in slice order
  std::vector<Pod> pods;              // by namespace, then name

  std::vector<Label> labels;
  std::vector<ServicePort> service_ports;
  std::vector<EndpointPort> endpoint_ports;
  std::vector<std::uint32_t> hints;  // see Endpoint::hints: zone indices, then node indices
  std::vector<IpAddress> pod_addresses;
  std::vector<ContainerPort> container_ports;
  std::vector<NameId> names_pool;

  template <class T>
  static std::span<const T> part(const std::vector<T>& all, Range range) {
    return std::span<const T>(all).subspan(range.begin, range.size);
  }
  std::string_view zone_name(ZoneIndex zone) const {
    return zone ? names[zones[zone.value()].name] : std::string_view();
  }
  std::string_view node_name(NodeIndex node) const {
    return node ? names[nodes[node.value()].name] : std::string_view();
  }
  std::string_view namespace_name(NamespaceIndex ns) const {
    return ns ? names[namespaces[ns.value()].name] : std::string_view();
  }

  // None when there is no such thing.
  ZoneIndex find_zone(std::string_view name) const;
  NodeIndex find_node(std::string_view name) const;
  NamespaceIndex find_namespace(std::string_view name) const;
  ServiceIndex find_service(std::string_view ns, std::string_view name) const;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace proxima::model
