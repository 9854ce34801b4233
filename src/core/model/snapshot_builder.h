// SPDX-License-Identifier: Apache-2.0
// Collects objects in any order, by name, and turns them into one Snapshot: sorted, resolved to
// indices, slices grouped by service. Duplicates (the same kind, namespace and name): the last
// wins.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/derive_slices.h"
#include "core/model/limits.h"
#include "core/model/snapshot.h"

namespace proxima::model {

// The drafts refer to other objects by interned name. A reader may reuse one draft for many
// objects: add() copies what it needs.
struct NodeDraft {
  NameId name;
  std::vector<Label> labels;  // zone, region and role are read from here; any order
  Quantity cpu;
  double traffic = 0;
  bool ready = false;
};

struct EndpointDraft {
  IpAddress address;
  NameId node;
  NameId zone;  // none, or the empty text: no zone
  NameId pod;   // the name; its namespace is the slice's unless pod_ns says another
  NameId pod_ns;
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
  bool managed_by_other = false;  // managed-by is another identity
  PublishedTexts published;
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
  // ns, ports, labels, selector, topology_key_fields, slices are taken from the fields below.
  // Neither has_v4 nor has_v6: the object does not say, and gets the family that the cluster's
  // Services and Pods have first, as an API server would give it.
  Service service;
  NameId ns;
  std::vector<ServicePort> ports;
  std::vector<Label> labels;
  std::vector<Label> selector;
  std::vector<NameId> topology_keys;
};

// A plan has numbers for every pair of zones, so their count is bounded.
inline constexpr std::size_t kMaxZones = limit_of(Bounded::Zones).most_count();
static_assert(kMaxZones < 0xffff);  // indices of places have 16 bits
// Hints of one kind on one endpoint, as the API server allows; more are dropped.
inline constexpr std::size_t kMaxHints = limit_of(Bounded::EndpointHints).most_count();
// In Snapshot::hints: a hint for a node that is not in the snapshot. It still is a hint, so it must
// not vanish, and it matches nobody: not even the index "none".
inline constexpr std::uint32_t kUnknownHint = 0xfffffffeU;

// What build() does when no slice was added.
enum class MissingSlices { Derive, LeaveEmpty };

class SnapshotBuilder {
 public:
  // Interns into the snapshot to be.
  StringPool& names() { return snapshot_.names; }

  void add(const NodeDraft& draft);
  void add(const PodDraft& draft);
  void add(const ServiceDraft& draft);
  void add(const SliceDraft& draft);
  void add(const Namespace& draft);

  // A zone that is there even if nothing that was added stands in it.
  void add_zone(NameId zone) { zones_.push_back(zone); }

  bool has_slices() const { return !slices_.empty(); }

  // Derived slices are those that the EndpointSlice controller would make of the Pods, Services and
  // Nodes (core/model/derive_slices.h). The builder is empty afterwards.
  SnapshotPtr build(MissingSlices missing = MissingSlices::Derive);
  // The same, as a value that may still be added to.
  Snapshot take(MissingSlices missing);
  // Pods that the last build() had to leave out of derived slices.
  const std::vector<SkippedPod>& skipped_pods() const { return skipped_pods_; }

 private:
  // The snapshot's own structs with ranges into its flat arrays, and beside them the names that
  // become indices once everything is known.
  struct PendingNode {
    Node node;
    NameId zone;
    NameId region;
  };
  struct PendingPod {
    Pod pod;
    NameId ns;
  };
  struct PendingService {
    Service service;
    NameId ns;
  };
  struct PendingSlice {
    EndpointSlice slice;  // endpoints: into endpoints_; foreign: somebody else manages it
    NameId ns;
    NameId service;
  };
  struct PendingEndpoint {
    Endpoint endpoint;  // hints: names in hint_names_; the counts are right already
    NameId node;
    NameId zone;
    NameId pod_ns;
  };
  friend class SnapshotResolver;  // the second half of build(), in snapshot_resolver.cc

  Range append_labels(std::vector<Label> labels);
  PendingEndpoint pend(const EndpointDraft& draft, NameId ns);

  Snapshot snapshot_;
  std::vector<PendingNode> nodes_;
  std::vector<PendingPod> pods_;
  std::vector<PendingService> services_;
  std::vector<PendingSlice> slices_;
  std::vector<PendingEndpoint> endpoints_;
  std::vector<NameId> hint_names_;
  std::vector<NameId> zones_;
  std::vector<SkippedPod> skipped_pods_;
};

}  // namespace proxima::model
