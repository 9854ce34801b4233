// SPDX-License-Identifier: Apache-2.0
#include "lab/number_ring.h"

namespace proxima::lab {

std::optional<std::size_t> NumberRing::take() {
  if (taken_.size() >= highest_) return std::nullopt;
  do last_ = last_ % highest_ + 1;
  while (taken_.contains(last_));
  taken_.insert(last_);
  return last_;
}

}  // namespace proxima::lab
