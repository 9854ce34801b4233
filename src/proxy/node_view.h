// SPDX-License-Identifier: Apache-2.0
// What the proxy knows of the node it runs on.
#pragma once

#include <vector>

#include "base/ip_address.h"
#include "kube/node_record.h"

namespace proxima::proxy {

struct NodeView {
  Text name;                         // as slices write it
  Text zone;                         // none: the node has no zone, or an empty one
  kube::LabelSetRef labels;          // null: the node is not known yet
  std::vector<IpAddress> addresses;  // internal ones first, as the Node lists them
};

// Of the Node object of that name; what it does not say is unknown.
NodeView node_view(const kube::NodeRecord& node);
// Whether traffic may be routed otherwise: addresses do not count.
bool same_topology(const NodeView& a, const NodeView& b);

}  // namespace proxima::proxy
