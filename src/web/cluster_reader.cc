// SPDX-License-Identifier: Apache-2.0
#include "web/cluster_reader.h"

#include "core/model/snapshot_builder.h"
#include "kube/record_draft.h"

namespace proxima::web {

model::SnapshotPtr snapshot_of(const ClusterRecords& records) {
  model::SnapshotBuilder builder;
  StringPool& names = builder.names();
  records.namespaces.each([&](const auto& ns) { builder.add(kube::to_draft(*ns, names)); });
  records.nodes.each([&](const auto& node) { builder.add(kube::to_draft(*node, names)); });
  records.services.each([&](const auto& service) { builder.add(kube::to_draft(*service, names)); });
  records.slices.each([&](const auto& slice) {
    if (const auto draft = kube::to_draft(*slice, names)) builder.add(*draft);
  });
  records.pods.each([&](const auto& pod) { builder.add(kube::to_draft(*pod, names)); });
  // Slices are the controller's to make: the page shows those that are there.
  return builder.build(model::MissingSlices::LeaveEmpty);
}

ClusterReader::ClusterReader(controller::ClusterCaches& caches) : caches_(caches) {
  const auto note = [this](const auto&) { changes_.fetch_add(1, std::memory_order_acq_rel); };
  subscriptions_.pods = caches_.pods.subscribe(note);
  subscriptions_.services = caches_.services.subscribe(note);
  subscriptions_.nodes = caches_.nodes.subscribe(note);
  subscriptions_.namespaces = caches_.namespaces.subscribe(note);
  subscriptions_.slices = caches_.slices.subscribe(note);
}

ClusterReader::~ClusterReader() {
  caches_.pods.unsubscribe(subscriptions_.pods);
  caches_.services.unsubscribe(subscriptions_.services);
  caches_.nodes.unsubscribe(subscriptions_.nodes);
  caches_.namespaces.unsubscribe(subscriptions_.namespaces);
  caches_.slices.unsubscribe(subscriptions_.slices);
}

ClusterRecords ClusterReader::records() const {
  return {.pods = caches_.pods.snapshot(),
          .services = caches_.services.snapshot(),
          .nodes = caches_.nodes.snapshot(),
          .namespaces = caches_.namespaces.snapshot(),
          .slices = caches_.slices.snapshot()};
}

}  // namespace proxima::web
