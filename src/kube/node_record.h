// SPDX-License-Identifier: Apache-2.0
// Nodes and Namespaces as the cache holds them.
#pragma once

#include <vector>

#include "base/ip_address.h"
#include "base/quantity.h"
#include "kube/record.h"

namespace proxima::kube {

struct NodeRecord : RefCounted {
  RecordMeta meta;
  LabelSetRef labels;
  Quantity cpu;        // allocatable; zero when the node reports none
  double traffic = 0;  // that starts on it, as its annotation says
  bool ready = false;
  bool unschedulable = false;  // cordoned
  bool to_be_deleted = false;  // tainted ToBeDeletedByClusterAutoscaler
  std::vector<IpAddress> internal_ips;
  std::vector<IpAddress> external_ips;
  std::vector<Text> pod_cidrs;  // as written

  ObjectKey key() const { return {{}, meta.name.view()}; }
};

struct NamespaceRecord : RefCounted {
  RecordMeta meta;
  LabelSetRef annotations;  // those that the system knows

  ObjectKey key() const { return {{}, meta.name.view()}; }
};

}  // namespace proxima::kube
