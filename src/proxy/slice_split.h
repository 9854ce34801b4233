// SPDX-License-Identifier: Apache-2.0
// What the slices of a Service say about it as a whole: the row of the split that is for this node,
// and what else the controller decided for all its endpoints.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ip_address.h"
#include "core/route/zone_split.h"
#include "proxy/node_view.h"
#include "proxy/service_endpoint.h"

namespace proxima::proxy {

struct SliceSplit {
  bool present = false;               // some slice of the family carries a split that can be read
  std::optional<route::ZoneRow> row;  // for the zone of the node, or for nodes without one
  Text unreadable;  // where none can be read: the slice that was written last of those that carry
                    // one
  std::vector<Text> keys;       // topology keys that something else than the Service asks for
  bool ignores_health = false;  // all endpoints are to be used, ready or not
  bool requires_zone = false;   // traffic stays in its zone, unless the row sends it elsewhere
};

// One slice of a Service carries all that. While that becomes another slice there may be two, and
// then the one that was written last counts. A split that cannot be read is as if it were not
// there. Where nodes keep part of their traffic (core/route/slice_routing), the row is of the rest.
SliceSplit slice_split(std::span<const SliceRef> slices, IpFamily family, const NodeView& node);

}  // namespace proxima::proxy
