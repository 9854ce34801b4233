// SPDX-License-Identifier: Apache-2.0
#include "core/policy/water_level.h"

#include <cstddef>
#include <limits>

namespace proxima::policy {

// Starts as if every vessel took part and lets those drop out that stand above the level. That only
// lowers the level, so a vessel that dropped out stays out, and no sorting is needed. Stopping as
// soon as the level does not fall also ends the chase of a vessel that rounding puts now above, now
// below it.
double water_level(double amount, std::span<const double> width, std::span<const double> filled) {
  double level = std::numeric_limits<double>::infinity();
  while (true) {
    double content = amount;
    double total_width = 0;
    for (std::size_t i = 0; i < width.size(); ++i) {
      if (width[i] <= 0 || filled[i] > level * width[i]) continue;
      content += filled[i];
      total_width += width[i];
    }
    if (total_width <= 0) return level;
    const double lower = content / total_width;
    if (lower >= level) return level;
    level = lower;
  }
}

}  // namespace proxima::policy
