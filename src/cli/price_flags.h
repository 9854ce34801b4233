// SPDX-License-Identifier: Apache-2.0
// The flags that say what traffic costs.
#pragma once

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the options, which must outlive them. Without the file, which only commands that print
// take.
FlagRows price_flags(PriceOptions& options);
FlagRow price_file_flag(PriceOptions& options);

}  // namespace proxima::cli
