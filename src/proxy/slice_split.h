// SPDX-License-Identifier: Apache-2.0
// The row of the plan's zone split that is for this node, read from the slices of a Service.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ip_address.h"
#include "core/plan/zone_split.h"
#include "proxy/node_view.h"
#include "proxy/service_endpoint.h"

namespace proxima::proxy {

struct SliceSplit {
  bool present = false;              // some slice of the family carries a split that can be read
  std::optional<plan::ZoneRow> row;  // for the zone of the node, or for nodes without one
  Text unreadable;  // where none can be read: the slice that was written last of those that carry
                    // one
};

// One slice of a Service carries the split. While that becomes another slice there may be two, and
// then the one that was written last counts. A split that cannot be read is as if it were not
// there.
SliceSplit slice_split(std::span<const SliceRef> slices, IpFamily family, const NodeView& node);

}  // namespace proxima::proxy
