// SPDX-License-Identifier: Apache-2.0
// The flags of `proxima check`.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows check_flags(CheckCommand& command);
// What no single flag can know about the others; "" when all is well.
std::string contradiction(const CheckCommand& command);

}  // namespace proxima::cli
