// SPDX-License-Identifier: Apache-2.0
// The flags of `proxima sysdump`.
#pragma once

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows sysdump_flags(SysdumpCommand& command);

}  // namespace proxima::cli
