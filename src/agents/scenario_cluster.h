// SPDX-License-Identifier: Apache-2.0
// The `cluster` of a scenario. Pure.
#pragma once

#include "agents/lab_shape.h"
#include "agents/scenario_fields.h"

namespace proxima::agents {

// What the file does not say is as in the default lab: its zones, its Services, its rate.
LabShape read_cluster(const ScenarioFields& cluster);

// A dial, as a number or as a text such as "20%" or "inf"; empty when there is none.
std::string read_overload(const ScenarioFields& fields);

}  // namespace proxima::agents
