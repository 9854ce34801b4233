// SPDX-License-Identifier: Apache-2.0
// The flags of the log that long-running commands write.
#pragma once

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the flags, which must outlive them.
FlagRows log_flags(LogFlags& flags);

}  // namespace proxima::cli
