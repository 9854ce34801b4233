// SPDX-License-Identifier: Apache-2.0
// `proxima up`: a cluster of several zones on this machine, until it is asked to end.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/up_options.h"

namespace proxima::cli {

ExitCode run_up(const UpCommand& command, Console& console);

}  // namespace proxima::cli
