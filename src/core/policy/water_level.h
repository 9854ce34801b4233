// SPDX-License-Identifier: Apache-2.0
// Water-filling: pouring an amount into vessels of different widths so that the water stands
// equally high in every vessel that gets any.
#pragma once

#include <span>

namespace proxima::policy {

// The level at which the amounts max(0, level × width − filled) add up to `amount`. A vessel of
// width 0 takes nothing; at least one must have a width. Exact up to rounding, and the order of the
// vessels does not matter beyond that.
double water_level(double amount, std::span<const double> width, std::span<const double> filled);

// What one vessel takes at that level.
inline double poured(double level, double width, double filled) {
  const double added = level * width - filled;
  return width > 0 && added > 0 ? added : 0;
}

}  // namespace proxima::policy
