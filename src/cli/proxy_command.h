// SPDX-License-Identifier: Apache-2.0
// `proxima proxy`: routes the Services of this node until it is asked to end.
#pragma once

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace proxima::cli {

ExitCode run_proxy(const ProxyCommand& command, Console& console);

}  // namespace proxima::cli
