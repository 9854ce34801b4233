// SPDX-License-Identifier: Apache-2.0
#include "cli/migrate_flags.h"

#include "cli/planning_flags.h"

namespace proxima::cli {

FlagRows migrate_flags(MigrateCommand& command) {
  const std::string group = "Migration";
  FlagRows rows = {
      services_argument(command.services),
      choice_row("--to", group, command.to, kMoveTargets,
                 "Only this target; -o patch prints its patches instead of those suggested"),
      traffic_flag(group, command.traffic_file),
  };
  append(rows, planning_flags(command, kMigrateFormats));
  rows.push_back(overload_flag(command.policy));
  return rows;
}

std::string contradiction(const MigrateCommand& command) {
  return planning_contradiction(command, !command.services.empty());
}

}  // namespace proxima::cli
