// SPDX-License-Identifier: Apache-2.0
// The shortest scenario that can be found that fails as a given one does: things that happen are
// left out for as long as it still fails.
#pragma once

#include <functional>

#include "simulation/scenario.h"

namespace proxima::simulation {

// `fails` is asked at most `tries_max` times. The scenario fails.
Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails,
                std::size_t tries_max);

}  // namespace proxima::simulation
