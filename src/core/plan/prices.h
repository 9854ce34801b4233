// SPDX-License-Identifier: Apache-2.0
// What a unit of traffic costs between two places: by default 0 in the zone, 1 in the region, 2
// between regions; or real prices a GB.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/model/snapshot.h"

namespace proxima::plan {

struct ZonePrice {
  std::string from;
  std::string to;
  double price = 0;  // replaces the class price below; one direction
};

struct PriceRules {
  double same_zone = 0;
  double same_region = 1;
  double other_region = 2;
  std::vector<ZonePrice> pairs;
};

// Row-major, places × places (zones of the snapshot, then "no zone"). A place without a region is
// in the region of everyone: it costs same_region.
struct PriceMatrix {
  std::vector<double> price;
  bool uniform = true;  // 0 at home and the same everywhere else: the closed form applies

  // As the balancing policies take it: empty when uniform.
  std::span<const double> for_balancing() const {
    return uniform ? std::span<const double>() : std::span<const double>(price);
  }
};
PriceMatrix price_matrix(const model::Snapshot& snapshot, const PriceRules& rules);

}  // namespace proxima::plan
