// SPDX-License-Identifier: Apache-2.0
// What a plan says about the traffic that starts in one zone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/text.h"

namespace proxima::proxy {

struct ZoneShare {
  Text zone;                   // "" stands for endpoints without a zone
  std::uint32_t permille = 0;  // of the traffic
};

// The row of a zone.
using ZoneShares = std::vector<ZoneShare>;

}  // namespace proxima::proxy
