// SPDX-License-Identifier: Apache-2.0
// The flags of `proxima up`.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/up_options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows up_flags(UpCommand& command);
// What no single flag can know about the others; "" when all is well.
std::string contradiction(const UpCommand& command);

}  // namespace proxima::cli
