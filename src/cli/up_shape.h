// SPDX-License-Identifier: Apache-2.0
// The cluster that the flags of `proxima up` ask for. Pure.
#pragma once

#include "agents/lab_shape.h"
#include "cli/up_options.h"

namespace proxima::cli {

// The example cluster with as many zones and nodes as wanted: its services keep their shapes, even,
// lopsided, and all in one zone.
agents::LabShape example_shape(const UpCommand& command);
// `shape` with the rate that the flags ask for, if any.
agents::LabShape with_rate(agents::LabShape shape, const UpCommand& command);

}  // namespace proxima::cli
