// SPDX-License-Identifier: Apache-2.0
// Collects objects in any order, by name, and turns them into one Snapshot: sorted, resolved to
// indices, slices grouped by service. Duplicates (the same kind, namespace and name): the last
// wins.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/snapshot.h"

namespace proxima::model {

// The drafts refer to other objects by interned name. Ranges of labels, ports and so on are filled
// by the add_ functions of the builder below, in flat arrays that the snapshot takes over.
struct NodeDraft {
  NameId name;
  std::vector<Label> labels;  // zone, region and role are read from here
  Quantity cpu;
  bool ready = false;
};

struct EndpointDraft {
  IpAddress address;
  NameId node;
  NameId zone;
  NameId pod;
  Condition ready = Condition::Unset;
  Condition serving = Condition::Unset;
  Condition terminating = Condition::Unset;
  float weight = 0;                // 0: take the Pod's, when the Pod is known, else 1
  std::vector<NameId> zone_hints;  // as written; empty texts never match and are dropped
  std::vector<NameId> node_hints;
};

struct SliceDraft {
  NameId ns;
  NameId name;
  NameId service;  // value of the service-name label; none when missing
  IpFamily family = IpFamily::V4;
  bool managed_by_controller = false;
  std::vector<EndpointDraft> endpoints;
  std::vector<EndpointPort> ports;
};

struct PodDraft {
  Pod pod;  // ns, node, labels, addresses, container_ports are taken from the fields below
  NameId ns;
  std::vector<Label> labels;
  std::vector<IpAddress> addresses;
  std::vector<ContainerPort> container_ports;
};

struct ServiceDraft {
  Service service;  // ns, ports, labels, selector, topology_key_fields, slices as below
  NameId ns;
  std::vector<ServicePort> ports;
  std::vector<Label> labels;
  std::vector<Label> selector;
  std::vector<NameId> topology_keys;
};

class SnapshotBuilder {
 public:
  // Interns into the snapshot to be.
  StringPool& names() { return snapshot_.names; }

  void add(const NodeDraft& draft);
  void add(const PodDraft& draft);
  void add(const ServiceDraft& draft);
  void add(const SliceDraft& draft);
  void add(const Namespace& draft);

  bool has_slices() const { return !slices_.empty(); }

  // When no slice was added, slices are derived from Pods, Services and Nodes as the EndpointSlice
  // controller would (core/model/derive_slices.h). The builder is empty afterwards.
  SnapshotPtr build();

 private:
  // Drafts flattened as they come: the snapshot's own structs with ranges into its flat arrays,
  // and beside them the names that become indices once everything is known.
  struct PendingSlice {
    EndpointSlice slice;
    NameId ns;
    NameId service;
  };
  struct PendingEndpoint {
    Endpoint endpoint;
    NameId node;
    NameId zone;
  };

  Snapshot snapshot_;
  std::vector<NameId> node_zones_, node_regions_;
  std::vector<NameId> pod_namespaces_, service_namespaces_;
  std::vector<PendingSlice> slices_;
  std::vector<PendingEndpoint> endpoints_;
};

}  // namespace proxima::model
