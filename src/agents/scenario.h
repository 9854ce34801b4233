// SPDX-License-Identifier: Apache-2.0
// A lab and what happens to it, from a file: docs/lab.md tells its format. Pure.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "agents/lab_action.h"
#include "agents/lab_shape.h"
#include "base/result.h"

namespace proxima::agents {

struct TimedAction {
  std::chrono::milliseconds at{};  // after the lab is ready
  LabAction action;
};

struct Scenario {
  LabShape cluster = default_shape();
  std::vector<TimedAction> timeline;  // by time; of equal times in the order of the file
};

// YAML or JSON. An error names line and field: "line 14: timeline[1].zone: no zone "x"; there are
// zone-a, zone-b".
Result<Scenario> parse_scenario(std::string_view text);

}  // namespace proxima::agents
