// SPDX-License-Identifier: Apache-2.0
// The flags that say where objects are read from: files, or a live cluster.
#pragma once

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the options, which must outlive them.
FlagRows input_flags(InputOptions& options);

}  // namespace proxima::cli
