// SPDX-License-Identifier: Apache-2.0
// `proxima plan`.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace proxima::cli {

ExitCode run_plan(const PlanCommand& command, Console& console);

}  // namespace proxima::cli
