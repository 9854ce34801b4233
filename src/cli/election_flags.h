// SPDX-License-Identifier: Apache-2.0
// The flags of leader election: upstream's names.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the flags, which must outlive them.
FlagRows election_flags(ElectionFlags& flags);
// What no single one of them can know about the others; "" when all is well.
std::string contradiction(const ElectionFlags& flags);

}  // namespace proxima::cli
