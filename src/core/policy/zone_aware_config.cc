// SPDX-License-Identifier: Apache-2.0
#include "core/policy/zone_aware_config.h"

namespace proxima::policy {

std::uint32_t truncated_percent(double percent) {
  if (!(percent > 0)) return 0;
  if (percent >= 100) return 100;
  // In two steps on purpose: 29 / 100.0 is a little below 0.29, and that is what Envoy truncates.
  const double fraction = percent / 100.0;
  return static_cast<std::uint32_t>(100 * fraction);
}

}  // namespace proxima::policy
