// SPDX-License-Identifier: Apache-2.0
// What the slices of a Service say about it as a whole. One slice carries the split and all carry
// the rest; while they change there may be several answers, and then the slice that was written
// last counts. A split that cannot be read is as if it were not there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/route/slice_routing.h"
#include "core/route/zone_split.h"

namespace proxima::route {

// Of one slice.
struct SliceTexts {
  std::uint64_t version = 0;
  std::string_view slice;                 // its name
  std::string_view split;                 // as written; "" for none
  const SliceRouting* routing = nullptr;  // null: none that can be read
};

struct ServiceTexts {
  bool has_split = false;
  ZoneSplit split;              // of what nodes do not keep, where they keep something
  std::string_view unreadable;  // where none can be read: the slice that carries one and was
                                // written last
  std::vector<std::string> keys;
  bool ignores_health = false;
  bool requires_zone = false;  // the split is of zones that may not be left otherwise
  std::vector<FailingZone> failing;
};

// Of one family.
ServiceTexts read_service_texts(std::vector<SliceTexts> slices);

}  // namespace proxima::route
