// SPDX-License-Identifier: Apache-2.0
#include "controller/node_change.h"

#include "core/model/labels.h"

namespace proxima::controller {

NodeEffect effect_of(const kube::Change<kube::NodeRecord>& change) {
  if (!change.before || !change.now) return {.capacity = true, .endpoints = true};
  const kube::NodeRecord& before = *change.before;
  const kube::NodeRecord& now = *change.now;
  const bool labels = !kube::same_labels(before.labels, now.labels);
  return {.capacity = labels || before.ready != now.ready || before.cpu != now.cpu ||
                      before.traffic != now.traffic,
          .endpoints = labels && kube::label(before.labels, model::kZoneLabel) !=
                                     kube::label(now.labels, model::kZoneLabel)};
}

}  // namespace proxima::controller
