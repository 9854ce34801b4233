// SPDX-License-Identifier: Apache-2.0
// `proxima sysdump`.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace proxima::cli {

ExitCode run_sysdump(const SysdumpCommand& command, Console& console);

}  // namespace proxima::cli
