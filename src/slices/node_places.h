// SPDX-License-Identifier: Apache-2.0
// Where every node stands, found by name in one look: packing asks for each endpoint, and a cache's
// tree of 5,000 nodes is a dozen comparisons deep. Immutable; any thread may read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "kube/cache_snapshot.h"
#include "kube/node_record.h"

namespace proxima::slices {

struct NodePlace {
  Text name;
  Text zone;  // none when the node has none
};

// Null: it has none. Borrowed from the node.
const Text* zone_of(const kube::NodeRecord& node);

class NodePlaces {
 public:
  explicit NodePlaces(const kube::CacheSnapshot<kube::NodeRecord>& nodes);

  // Null: there is no such node.
  const NodePlace* find(std::string_view name) const;

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = kFree;
  };

  std::vector<NodePlace> places_;
  std::vector<Slot> slots_;  // a power of two, at most half of them taken
};

}  // namespace proxima::slices
