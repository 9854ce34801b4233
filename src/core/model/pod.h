// SPDX-License-Identifier: Apache-2.0
// A Pod, as far as endpoints and demand need it.
#pragma once

#include <cstdint>

#include "base/ip_address.h"
#include "core/model/ids.h"

namespace proxima::model {

enum class PodPhase : std::uint8_t { Pending, Running, Succeeded, Failed, Unknown };

// A named port of a container that can serve: ordinary containers first, then init containers that
// restart always.
struct ContainerPort {
  NameId name;
  NameId protocol;
  std::uint16_t port = 0;
};

struct Pod {
  NamespaceIndex ns;
  NameId name;
  NodeIndex node;    // none: not scheduled, or the node is not in the snapshot
  NameId node_name;  // as written; differs from `node` only when the node is unknown
  NameId owner;      // "Kind/name" of the controlling workload ("Deployment/web", not its
                     // ReplicaSet); none for a bare Pod
  NameId hostname;
  NameId subdomain;
  Range labels;           // into Snapshot::labels
  Range addresses;        // into Snapshot::pod_addresses
  Range container_ports;  // into Snapshot::container_ports
  float weight = 1;       // annotation proxima.io/weight
  PodPhase phase = PodPhase::Pending;
  bool ready = false;
  bool terminating = false;
};

}  // namespace proxima::model
