// SPDX-License-Identifier: Apache-2.0
// `proxima migrate`.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace proxima::cli {

ExitCode run_migrate(const MigrateCommand& command, Console& console);

}  // namespace proxima::cli
