// SPDX-License-Identifier: Apache-2.0
#include "core/plan/prices.h"

#include "base/check.h"

namespace proxima::plan {
namespace {

using model::RegionIndex;
using model::Snapshot;

RegionIndex region_of(const Snapshot& snapshot, std::size_t place) {
  return place < snapshot.zones.size() ? snapshot.zones[place].region : RegionIndex();
}

double class_price(const Snapshot& snapshot, const PriceRules& rules, std::size_t from,
                   std::size_t to) {
  if (from == to) return rules.same_zone;
  const RegionIndex a = region_of(snapshot, from);
  const RegionIndex b = region_of(snapshot, to);
  return a && b && a != b ? rules.other_region : rules.same_region;
}

// 0 at home and one positive price everywhere else.
bool is_uniform(const std::vector<double>& price, std::size_t places) {
  const double elsewhere = places > 1 ? price[1] : 1;
  for (std::size_t from = 0; from < places; ++from) {
    for (std::size_t to = 0; to < places; ++to) {
      if (price[from * places + to] != (from == to ? 0 : elsewhere)) return false;
    }
  }
  return elsewhere > 0;
}

}  // namespace

PriceMatrix price_matrix(const Snapshot& snapshot, const PriceRules& rules) {
  const std::size_t places = snapshot.zones.size() + 1;
  PriceMatrix matrix;
  matrix.price.resize(places * places);
  for (std::size_t from = 0; from < places; ++from) {
    for (std::size_t to = 0; to < places; ++to) {
      matrix.price[from * places + to] = class_price(snapshot, rules, from, to);
    }
  }
  for (const ZonePrice& pair : rules.pairs) {
    PROXIMA_CHECK(pair.price >= 0);
    const auto from = snapshot.find_zone(pair.from);
    const auto to = snapshot.find_zone(pair.to);
    if (from && to) matrix.price[from.value() * places + to.value()] = pair.price;
  }
  matrix.uniform = is_uniform(matrix.price, places);
  return matrix;
}

}  // namespace proxima::plan
