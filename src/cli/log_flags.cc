// SPDX-License-Identifier: Apache-2.0
#include "cli/log_flags.h"

#include "cli/value_rows.h"

namespace proxima::cli {

FlagRows log_flags(LogFlags& flags) {
  const std::string group = "Status and logs";
  return {
      choice_row("--logging-format", group, flags.format, kLogFormats,
                 "Form of the log on standard error (default text)"),
      count_row("-v,--v", group, flags.verbosity, {0, 10},
                "How much is logged: 0 what an operator needs, 2 what is decided, 4 every sync "
                "(default 0)"),
  };
}

}  // namespace proxima::cli
