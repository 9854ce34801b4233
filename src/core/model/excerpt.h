// SPDX-License-Identifier: Apache-2.0
// One service of a snapshot with everything that decides about it, as drafts that can be edited and
// built again: the ground for "what if there were one more endpoint in zone b".
#pragma once

#include <vector>

#include "core/model/snapshot.h"
#include "core/model/snapshot_builder.h"

namespace proxima::model {

// Names in the drafts are interned in `builder`. Pods are left out: endpoints carry what matters.
struct Excerpt {
  SnapshotBuilder builder;
  std::vector<NodeDraft> nodes;
  Namespace ns;
  ServiceDraft service;
  std::vector<SliceDraft> slices;

  // Uses the excerpt up.
  SnapshotPtr build() &&;
};

Excerpt excerpt_of_service(const Snapshot& snapshot, ServiceIndex service);

}  // namespace proxima::model
