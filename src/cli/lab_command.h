// SPDX-License-Identifier: Apache-2.0
// `proxima lab`: looks at the lab that runs, and does something to it, over the HTTP of its page.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/up_options.h"

namespace proxima::cli {

ExitCode run_lab(const LabCommand& command, Console& console);

}  // namespace proxima::cli
