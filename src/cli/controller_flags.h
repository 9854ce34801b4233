// SPDX-License-Identifier: Apache-2.0
// The flags of `proxima controller`: upstream's names where they mean the same.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows controller_flags(ControllerCommand& command);
// What no single flag can know about the others; "" when all is well.
std::string contradiction(const ControllerCommand& command);

}  // namespace proxima::cli
