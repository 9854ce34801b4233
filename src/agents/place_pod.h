// SPDX-License-Identifier: Apache-2.0
// Which node a Pod without one goes to: the least used of those that may take it. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"

namespace proxima::agents {

// What one node carries at most: its addresses have room for a few more.
inline constexpr std::size_t kPodsOfANodeMax = 90;

struct NodeRoom {
  const kube::NodeRecord* node = nullptr;
  std::size_t pods = 0;  // that it has, or was given
};

// The zone that a Pod asks for by its nodeSelector or by a label of its own; none: any.
Text wished_zone(const kube::PodRecord& pod);

// The name of the node; ties go to the lesser name. NotFound: why no node takes it, as upstream's
// scheduler words it: "0/6 nodes are available: 2 cordoned, 4 in other zones".
Result<std::string> place_pod(const kube::PodRecord& pod, std::span<const NodeRoom> nodes);

}  // namespace proxima::agents
