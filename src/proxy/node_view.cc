// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_view.h"

#include "core/model/labels.h"

namespace proxima::proxy {

NodeView node_view(const kube::NodeRecord& node) {
  NodeView view{.name = node.meta.name, .zone = {}, .labels = node.labels, .addresses = {}};
  const Text zone = kube::label(node.labels, model::kZoneLabel);
  // An empty zone would match an empty hint, which the API lets pass.
  if (!zone.view().empty()) view.zone = zone;
  view.addresses = node.internal_ips;
  view.addresses.insert(view.addresses.end(), node.external_ips.begin(), node.external_ips.end());
  return view;
}

bool same_topology(const NodeView& a, const NodeView& b) {
  return a.name == b.name && a.zone == b.zone && kube::same_labels(a.labels, b.labels);
}

}  // namespace proxima::proxy
