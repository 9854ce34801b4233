// SPDX-License-Identifier: Apache-2.0
#include "traffic/target_wheel.h"

#include <algorithm>
#include <cmath>

namespace proxima::traffic {

TargetWheel::TargetWheel(std::span<const double> shares, SplitMix random) {
  for (const double share : shares) {
    const double counted = std::isfinite(share) && share > 0 ? share : 0;
    spokes_.push_back({.share = counted, .credit = counted * random.unit()});
    all_ += counted;
  }
}

std::optional<std::size_t> TargetWheel::next() {
  if (all_ <= 0) return std::nullopt;
  for (Spoke& spoke : spokes_) spoke.credit += spoke.share;
  // One without a share never gathers credit; it must not win where all others owe some.
  const auto richest = std::max_element(spokes_.begin(), spokes_.end(), [](auto& a, auto& b) {
    if ((a.share > 0) != (b.share > 0)) return b.share > 0;
    return a.credit < b.credit;
  });
  richest->credit -= all_;
  return static_cast<std::size_t>(richest - spokes_.begin());
}

}  // namespace proxima::traffic
