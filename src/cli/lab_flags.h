// SPDX-License-Identifier: Apache-2.0
// The words and flags of `proxima lab`.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/up_options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows lab_flags(LabCommand& command);
// What is wrong with the words that follow the action; "" when all is well.
std::string contradiction(const LabCommand& command);

}  // namespace proxima::cli
