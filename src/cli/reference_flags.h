// SPDX-License-Identifier: Apache-2.0
// The flags of the commands that tell about the program itself.
#pragma once

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows reasons_flags(ReasonsCommand& command);
FlagRows limits_flags(LimitsCommand& command);
FlagRows completion_flags(CompletionCommand& command);
FlagRows man_flags(ManCommand& command);
FlagRows version_flags(VersionCommand& command);
FlagRows help_flags(HelpCommand& command);

}  // namespace proxima::cli
