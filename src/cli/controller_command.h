// SPDX-License-Identifier: Apache-2.0
// `proxima controller`: runs the EndpointSlice controller until it is asked to end.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace proxima::cli {

ExitCode run_controller(const ControllerCommand& command, Console& console);

}  // namespace proxima::cli
