// SPDX-License-Identifier: Apache-2.0
// Now, for those who are told: by the clock that durations are taken from, and by the one that
// others read.
#pragma once

#include "base/clock.h"

namespace proxima::kube {

struct Moment {
  Clock::SteadyTime steady;
  Clock::WallTime wall;  // only ever written down
};

inline Moment moment_of(const Clock& clock) { return {clock.steady_now(), clock.wall_now()}; }

}  // namespace proxima::kube
