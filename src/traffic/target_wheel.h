// SPDX-License-Identifier: Apache-2.0
// Takes turns among targets so that each gets its share, and never runs ahead by more than a turn.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/split_mix.h"

namespace proxima::traffic {

class TargetWheel {
 public:
  TargetWheel() = default;
  // Shares that are no positive numbers count as 0. `random` chooses where the wheel begins.
  TargetWheel(std::span<const double> shares, SplitMix random);

  // The target whose turn it is; nullopt: no target has a share.
  std::optional<std::size_t> next();

 private:
  struct Spoke {
    double share = 0;
    double credit = 0;
  };
  std::vector<Spoke> spokes_;
  double all_ = 0;
};

}  // namespace proxima::traffic
