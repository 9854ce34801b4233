// SPDX-License-Identifier: Apache-2.0
// A lab without machines: the agents do everything to the objects of the API that they do in a real
// one, Pods become ready, zones fail and heal, but there is no network, no proxy and no traffic.
#pragma once

#include <memory>

#include "cli/running_lab.h"

namespace proxima::cli {

struct SimulatedLabOptions {
  agents::LabShape shape;
  std::uint64_t seed = 0;
};

// The ports must outlive it.
Result<std::unique_ptr<RunningLab>> start_simulated_lab(SimulatedLabOptions options,
                                                        const RunningLabPorts& ports);

}  // namespace proxima::cli
