// SPDX-License-Identifier: Apache-2.0
// `proxima limits`.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace proxima::cli {

ExitCode run_limits(const LimitsCommand& command, Console& console);

}  // namespace proxima::cli
