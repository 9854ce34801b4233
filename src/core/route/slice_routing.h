// SPDX-License-Identifier: Apache-2.0
// What a slice says about its endpoints that hints cannot: the annotation proxima.io/routing. Lists
// have an entry for each endpoint of the slice, in its order, so that both change in one write;
// "x*3" stands for three times x. As text, sections in this order, each only where it is needed:
//
//   v1|weight=8,1*2|kept=500,0*2|inflow=700,150*2|label:example.com/rack=7,8,-|panic=all|
//   keys=example.com/rack,*|zone=required|failover=b@2026-03-01T12:00:00Z|rest=a=a:930,b:70
//
//   weight   in proportion to the other endpoints of the Service
//   kept     thousandths of the traffic of its node that the node keeps
//   inflow   its part of what its zone receives from elsewhere, in proportion to the others there
//   label:K  the value of label K on its node; "-" for none
// and, of the whole Service, on each of its slices:
//   panic    "all": endpoints are used whether they are ready or not
//   keys     the topology keys in force, where the Service itself does not say so
//   zone     "required": traffic stays in its zone, but for what the split sends elsewhere
//   failover zones that lack endpoints and use others, and since when; spent: the same for zones
//            that have done so for as long as they may
//   rest     a split as in proxima.io/zone-split: for what nodes do not keep, or, where zones are
//            required, of those that use other zones
//
// Whoever does not know the version uses hints and proxima.io/zone-split alone. Sections that are
// not known are passed over, so that later versions may add some.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "core/route/zone_split.h"

namespace proxima::route {

struct LabelColumn {
  std::string key;
  std::vector<std::optional<std::string>> values;  // by endpoint
  friend bool operator==(const LabelColumn&, const LabelColumn&) = default;
};

// A zone that lacks endpoints while the Service allows it to use others for some time.
struct FailingZone {
  std::string zone;
  WallTime since;      // whole seconds
  bool spent = false;  // the time is over: the zone uses its own endpoints alone
  friend bool operator==(const FailingZone&, const FailingZone&) = default;
};

struct SliceRouting {
  // By endpoint of the slice; empty: nothing is said.
  std::vector<double> weights;      // > 0
  std::vector<double> kept;         // 0 to 1
  std::vector<double> inflow;       // >= 0
  std::vector<LabelColumn> labels;  // by key

  bool ignores_health = false;
  std::vector<std::string> keys;
  bool requires_zone = false;
  std::vector<FailingZone> failing;  // by zone
  ZoneSplit rest;

  bool empty() const { return *this == SliceRouting(); }
  friend bool operator==(const SliceRouting&, const SliceRouting&) = default;
};

// Annotations of an object have 256 KiB together. Columns of labels that do not fit are left out,
// the last ones first.
inline constexpr std::size_t kMaxRoutingText = 128 * 1024;

// Whether `wanted` is worth a write: something else than shares differs, or a share moves by more
// than kSplitStepPermille.
bool has_moved(const SliceRouting& published, const SliceRouting& wanted);

// "" when there is nothing to say.
std::string render(const SliceRouting& routing);
// `endpoints`: how many the slice has. A few bytes stand for a whole column, so columns, keys and
// values of labels beyond their bounds are refused.
Result<SliceRouting> parse_slice_routing(std::string_view text, std::size_t endpoints);

}  // namespace proxima::route
