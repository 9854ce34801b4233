// SPDX-License-Identifier: Apache-2.0
// The flags that say which policies decide, and with which numbers.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the options, which must outlive them. Without the bound on overload, of which a command
// may take one or several.
FlagRows policy_flags(PolicyOptions& options);
FlagRow overload_flag(PolicyOptions& options);
FlagRows zone_aware_flags(policy::ZoneAwareConfig& config);

}  // namespace proxima::cli
