// SPDX-License-Identifier: Apache-2.0
// The shortest scenario that can be found that fails as a given one does: things that happen are
// left out for as long as it still fails.
#pragma once

#include <functional>

#include "simulation/scenario.h"

namespace proxima::simulation {

// Whether both say the same about something else: names, numbers and addresses do not count, nor
// does what comes late in the sentence.
bool is_same_violation(const std::string& a, const std::string& b);

// `fails` is asked at most `tries_max` times. The scenario fails.
Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails,
                std::size_t tries_max);

}  // namespace proxima::simulation
