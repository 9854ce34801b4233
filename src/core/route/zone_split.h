// SPDX-License-Identifier: Apache-2.0
// The split of a service as it is published in the annotation proxima.io/zone-split of its slices:
// from each zone that starts traffic, how many thousandths of it go to which zone. As text, one row
// a zone:
//
//   a=a:930,b:70;b=b:1000;c=none
//
// Zones ascend, in rows and in their shares; shares are above 0 and every row sums to 1000, or is
// "none" where traffic is to be rejected. "-" stands for nodes and endpoints without a zone, which
// no label value looks like.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::route {

inline constexpr std::string_view kNoZoneInSplit = "-";
inline constexpr std::int64_t kWholePermille = 1000;

struct ZoneShare {
  std::string zone;
  std::int64_t permille = 0;
  friend bool operator==(const ZoneShare&, const ZoneShare&) = default;
};
struct ZoneRow {
  std::string zone;
  std::vector<ZoneShare> to;  // empty: rejected
  friend bool operator==(const ZoneRow&, const ZoneRow&) = default;
};
using ZoneSplit = std::vector<ZoneRow>;

// "" for an empty split; parse() of what render() made gives the same split.
std::string render(const ZoneSplit& split);
Result<ZoneSplit> parse_zone_split(std::string_view text);

// Whether `wanted` is worth a write: another set of zones starts traffic, or a share moves by more
// than kSplitStepPermille. The step is measured from what is published, so small moves add up.
inline constexpr std::int64_t kSplitStepPermille = 10;
bool has_moved(const ZoneSplit& published, const ZoneSplit& wanted);

}  // namespace proxima::route
