// SPDX-License-Identifier: Apache-2.0
// The split of a service as it is published in the annotation proxima.io/zone-split of its slices:
// from each zone that starts traffic, how many thousandths of it go to which zone. As text, one row
// a zone:
//
//   a=a:930,b:70;b=b:1000
//
// Zones ascend, in rows and in their shares; shares are above 0 and every row sums to 1000. "-"
// stands for nodes and endpoints without a zone, which no label value looks like.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/plan/cluster_plan.h"

namespace proxima::plan {

inline constexpr std::string_view kZoneSplitAnnotation = "proxima.io/zone-split";
inline constexpr std::string_view kNoZoneInSplit = "-";

struct ZoneShare {
  std::string zone;
  std::int64_t permille = 0;
  friend bool operator==(const ZoneShare&, const ZoneShare&) = default;
};
struct ZoneRow {
  std::string zone;
  std::vector<ZoneShare> to;
  friend bool operator==(const ZoneRow&, const ZoneRow&) = default;
};
using ZoneSplit = std::vector<ZoneRow>;

// Empty for a policy that needs no fractions. A zone whose traffic is to fail has no row.
ZoneSplit zone_split(const ClusterPlan& plan, const ServicePlan& service);

// "" for an empty split; parse() of what render() made gives the same split.
std::string render(const ZoneSplit& split);
Result<ZoneSplit> parse_zone_split(std::string_view text);

// Whether `wanted` is worth a write: another set of zones starts traffic, or a share moves by more
// than kSplitStepPermille. The step is measured from what is published, so small moves add up.
inline constexpr std::int64_t kSplitStepPermille = 10;
bool has_moved(const ZoneSplit& published, const ZoneSplit& wanted);

// Whole thousandths of `total` that sum to the rounded whole: what is cut off goes to those who
// lost most.
std::vector<std::int64_t> whole_permille(std::span<const double> parts, double total);

}  // namespace proxima::plan
