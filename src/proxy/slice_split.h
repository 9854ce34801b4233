// SPDX-License-Identifier: Apache-2.0
// The row of the plan's zone split that is for this node, read from the slices of a Service.
#pragma once

#include <optional>

#include "proxy/zone_share.h"

namespace proxima::proxy {

struct SliceSplit {
  bool present = false;           // some slice of the family carries a split that can be read
  std::optional<ZoneShares> row;  // for the zone of the node, which may be without one
};

}  // namespace proxima::proxy
