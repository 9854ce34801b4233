// SPDX-License-Identifier: Apache-2.0
// The flags that choose services.
#pragma once

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the options, which must outlive them.
FlagRows scope_flags(ScopeOptions& options);

}  // namespace proxima::cli
